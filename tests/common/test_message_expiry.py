"""Messages expire by PostgreSQL's clock: a host whose clock is wrong neither throws a sweep away nor keeps an old one."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from celery.utils.imports import symbol_by_name
from celery.worker import request as library
from django.db import connection

from apps.common import clock
from apps.common.clock import steady_now
from apps.common.message_expiry import SteadyRequest
from config.celery import app

HOUR = timedelta(hours=1)


def message(expires: float) -> SteadyRequest:
    """As beat writes it and a worker reads it."""
    written = app.amqp.as_task_v2(str(uuid.uuid4()), "bookings.recover", expires=expires)
    told = SimpleNamespace(
        headers=written.headers,
        body=json.dumps(written.body),
        payload=written.body,
        content_type="application/json",
        content_encoding="utf-8",
        delivery_info={},
        properties={},
    )
    return SteadyRequest(told, app=app, task=app.Task())


@pytest.fixture
def host_off(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The clock of this host is wrong by so much, for Celery."""

    def off(by: timedelta) -> None:
        class Wrong(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return datetime.now(UTC) + by

        monkeypatch.setattr(library, "datetime", Wrong)
        monkeypatch.setattr("celery.app.base.datetime", Wrong)

    return off


@pytest.mark.django_db
@pytest.mark.parametrize("off_when_sent", [-HOUR, timedelta(0), HOUR])
@pytest.mark.parametrize("off_when_read", [-HOUR, timedelta(0), HOUR])
def test_whatever_the_clocks_of_the_hosts_say(
    host_off: Any, off_when_sent: timedelta, off_when_read: timedelta
) -> None:
    host_off(off_when_sent)
    fresh, old = message(5), message(-1)
    host_off(off_when_read)
    assert (fresh.maybe_expire(), old.maybe_expire()) == (False, True)
    assert not message(5).revoked()


@pytest.mark.django_db
def test_a_message_without_an_end_has_none() -> None:
    written = message(5)
    written._expires = None
    assert not written.maybe_expire()


def test_every_task_of_ours_is_read_so() -> None:
    app.loader.import_default_modules()
    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert len(ours) > 10
    assert {symbol_by_name(task.Request) for task in ours} == {SteadyRequest}


@pytest.mark.django_db
def test_it_goes_on_from_the_first_look_whoever_sets_the_database_s_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock._first_look.cache_clear()
    before = steady_now()
    assert abs(before - clock.now()) < timedelta(minutes=1)
    set_back = clock.now() - HOUR
    monkeypatch.setattr(clock, "_database_now", lambda: set_back)
    assert before <= steady_now() < before + timedelta(minutes=1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_open", [False, True])
def test_the_first_look_leaves_the_connection_as_it_was(is_open: bool) -> None:
    """The first process of a worker needs none, and its children would be born with it."""
    connection.ensure_connection()
    if not is_open:
        connection.close()
    clock._carried.until = clock.NEVER
    clock._first_look.cache_clear()
    steady_now()
    assert (connection.connection is not None) == is_open
