"""From Redis to PostgreSQL: each call once, whoever reads it how often, and whoever dies in between."""

import os
import signal
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from django.db import OperationalError, connection, connections, transaction

from apps.common import clock
from apps.gateway.request_log import drain as draining
from apps.gateway.request_log import stream
from apps.gateway.request_log.drain import COLUMNS, drain
from apps.gateway.request_log.models import CallHour, LoggedCall, LostCalls
from apps.gateway.request_log.prune import prune
from apps.gateway.request_log.stream import Item, Kind
from tests.support import stack
from tests.support.plans import read_as_the_table_lies
from tests.support.programs import PythonProgram
from tests.support.threads import all_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon")]

DYING = """
import os, signal
import django
django.setup()
from apps.gateway.request_log import drain, stream
if os.environ["DIE"] == "before the commit":
    drain._insert = lambda entries: os.kill(os.getpid(), signal.SIGKILL)
else:
    stream.remove = lambda items: os.kill(os.getpid(), signal.SIGKILL)
drain.drain()
"""


def entry(**changes: Any) -> dict[str, Any]:
    fields = {
        "request_id": uuid.uuid4(),
        "created_at": clock.now(),
        "account_id": "acc_a",
        "environment": "test",
        "key_id": "key_a",
        "secret_id": 1,
        "method": "GET",
        "path": "/v1/account",
        "status": 200,
        "duration_ms": 1.5,
    }
    return {**fields, **changes}


def pushed(*entries: dict[str, Any]) -> None:
    assert stream.push([Item(Kind.CALLS, orjson.dumps(list(entries)))]) == 1


def counts() -> list[tuple[Any, ...]]:
    return list(CallHour.objects.order_by("hour").values_list("secret_id", "calls", "errors"))


def test_what_is_read_twice_is_written_and_counted_once():
    calls = [entry(), entry(status=404), entry(secret_id=2)]
    pushed(*calls, calls[0])
    assert drain() == 3
    pushed(*calls, entry())

    assert drain() == 1
    assert LoggedCall.objects.count() == 4
    assert sorted(counts()) == [(1, 3, 1), (2, 1, 0)]
    assert stream.read(1) == []


@pytest.mark.parametrize("items", [19, 20, 21, 45])
def test_one_run_writes_all_that_waits_in_readings_of_twenty(monkeypatch, items: int):
    for _ in range(items):
        pushed(entry())
    read, read_of = list[int](), stream.read

    def noted(count: int) -> list[Item]:
        found = read_of(count)
        read.append(len(found))
        return found

    monkeypatch.setattr(stream, "read", noted)

    assert drain() == items
    assert (max(read), sum(read)) == (min(items, 20), items)


def test_hours_are_counted_by_when_calls_came():
    now = clock.now().replace(minute=30)
    pushed(entry(created_at=now), entry(created_at=now - timedelta(hours=1)))
    pushed(entry(created_at=now - timedelta(minutes=5), status=400))
    pushed(entry(created_at=now - timedelta(minutes=4), status=399))
    drain()

    assert counts() == [(1, 1, 0), (1, 3, 1)]
    last = CallHour.objects.latest("hour")
    assert (last.first_call_at, last.last_call_at) == (now - timedelta(minutes=5), now)


@pytest.mark.parametrize("turns", [(10, 30, 20), (30, 10, 20), (20, 30, 10)])
def test_an_hour_knows_its_errors_and_its_first_and_last_call_whenever_they_are_written(
    turns: tuple[int, ...],
) -> None:
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    for minute in turns:
        pushed(entry(created_at=hour + timedelta(minutes=minute), status=404 if minute > 10 else 200))
        drain()

    counted = CallHour.objects.get()
    assert (counted.calls, counted.errors, counted.first_call_at, counted.last_call_at) == (
        3,
        2,
        hour + timedelta(minutes=10),
        hour + timedelta(minutes=30),
    )


@pytest.mark.parametrize("when", ["before the commit", "after the commit"])
def test_a_worker_killed_in_the_middle_loses_nothing_and_doubles_nothing(when: str):
    for _ in range(3):
        pushed(*(entry() for _ in range(50)))
    environment = stack.variables({"DATABASE_URL": stack.test_database_url(), "DIE": when})
    died = PythonProgram(["-c", DYING], {**os.environ, **environment})
    assert died.wait(60) == -signal.SIGKILL
    written = 0 if when == "before the commit" else 150
    assert LoggedCall.objects.count() == written

    assert drain() == 150 - written
    assert (LoggedCall.objects.count(), counts()) == (150, [(1, 150, 0)])


def test_workers_side_by_side_write_every_call_once():
    for _ in range(40):
        pushed(*(entry() for _ in range(10)))

    all_at_once([drain] * 4)
    drain()

    assert (LoggedCall.objects.count(), counts()) == (400, [(1, 400, 0)])
    assert stream.read(1) == []


def test_while_the_database_is_away_calls_wait(monkeypatch):
    pushed(entry())

    def fail(entries: bytes) -> int:
        raise OperationalError("away")

    with monkeypatch.context() as patched:
        patched.setattr(draining, "_insert", fail)
        with pytest.raises(OperationalError):
            drain()

    assert drain() == LoggedCall.objects.count() == 1


@contextmanager
def another_worker_writes() -> Iterator[None]:
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [draining.LOCK])
            yield
            cursor.execute(
                "SELECT pg_advisory_unlock(%s)", [draining.LOCK]
            )  # a connection lets go after it was closed
    finally:
        other.close()


@pytest.mark.parametrize("payload", [b"[]", b'["\xff"]'])
def test_while_another_worker_writes_nothing_is_taken_from_the_stream(payload: bytes):
    pushed(entry())
    assert stream.push([Item(Kind.CALLS, payload)]) == 1
    with another_worker_writes():
        assert drain() == 0
        assert len(stream.read(10)) == 2

    assert drain() == LoggedCall.objects.count() == 1
    assert stream.read(1) == []


def test_an_item_that_tells_of_lost_calls_alone_waits_for_no_other_worker() -> None:
    told = orjson.dumps({"id": uuid.uuid4(), "calls": 3})
    assert stream.push([Item(Kind.LOST, told)]) == 1
    with another_worker_writes():
        assert drain() == 0
        assert stream.read(1) == []

    assert LostCalls.objects.get().calls == 3


def test_no_more_is_begun_once_the_time_is_over(monkeypatch):
    pushed(entry())
    monkeypatch.setattr(draining, "time", SimpleNamespace(monotonic=lambda: 1_000.0))
    assert drain(seconds=0) == 0
    assert len(stream.read(1)) == 1

    assert drain(seconds=1) == 1


def test_an_entry_that_the_table_refuses_keeps_no_other_out(caplog: pytest.LogCaptureFixture):
    refused = entry(method="x" * 17)
    pushed(entry(), refused, entry(), entry(user_agent="a\0b"))

    assert drain() == LoggedCall.objects.count() == 2
    assert LostCalls.objects.get().calls == 2
    assert f"A call could not be logged: {refused['request_id']}" in caplog.text
    assert stream.read(1) == []


def test_an_entry_that_lacks_a_column_keeps_no_other_out():
    """As a process of the release before leaves it, where this one's table has a column more."""
    lacking = entry()
    del lacking["path"]
    pushed(entry(), lacking)

    assert drain() == LoggedCall.objects.count() == 1
    assert LostCalls.objects.get().calls == 1
    assert stream.read(1) == []


@pytest.mark.parametrize("payload", [b"[{", b"7", b"", b'["\xff"]', b'[{"request_id": 7}]'])
def test_an_item_that_cannot_be_read_keeps_no_other_out(payload: bytes):
    pushed(entry())
    assert stream.push([Item(Kind.CALLS, payload), Item(Kind.LOST, payload)]) == 2
    pushed(entry())

    assert drain() == LoggedCall.objects.count() == 2
    assert [lost.calls for lost in LostCalls.objects.all()] == [1, 1]
    assert stream.read(1) == []


def test_a_worker_that_dies_after_counting_losses_does_not_count_them_twice(monkeypatch):
    def die(items: list[Item]) -> None:
        raise KeyboardInterrupt

    pushed(entry(method="x" * 17), entry())
    pushed(entry(path=None))
    with monkeypatch.context() as dying:
        dying.setattr(stream, "remove", die)
        with pytest.raises(KeyboardInterrupt):
            drain()
    assert drain() == 0

    assert LoggedCall.objects.count() == 1
    assert [lost.calls for lost in LostCalls.objects.all()] == [1, 1]


def test_a_call_of_nobodys_is_kept_and_counted_nowhere():
    pushed(entry(account_id=None, environment="", key_id=None, secret_id=None, status=401))
    drain()

    assert (LoggedCall.objects.get().account_id, CallHour.objects.count()) == (None, 0)


def test_every_column_is_written():
    columns = {field.column for field in LoggedCall._meta.concrete_fields} - {"id"}

    assert set(COLUMNS) == columns


def test_calls_are_forgotten_after_30_days_and_their_counts_later():
    now = clock.now()
    days = [401, 45, 31, 29, 1]
    for day in days:
        pushed(*(entry(created_at=now - timedelta(days=day)) for _ in range(3)))
    drain()

    assert prune(batch=4) == 9
    ages = LoggedCall.objects.order_by("id").values_list("created_at", flat=True)
    assert [(now - created_at).days for created_at in ages] == [29] * 3 + [1] * 3
    assert CallHour.objects.count() == 4


@pytest.mark.parametrize(("ages", "gone"), [((0, 31, 0, 31, 0, 31), 3), ((31, 0, 0, 31), 2)])
def test_old_calls_are_forgotten_that_were_written_after_younger_ones(ages: tuple[int, ...], gone: int):
    """A call that took long, or waited for Redis, is written after those that came later."""
    now = clock.now()
    for days in ages:
        pushed(entry(created_at=now - timedelta(days=days)))
        drain()

    assert prune(batch=2) == gone
    assert LoggedCall.objects.count() == len(ages) - gone


@pytest.mark.parametrize("batch", [1, 2])
def test_calls_are_forgotten_in_the_order_of_their_ids_however_the_table_lies(batch: int):
    """What was written last has the lowest id here."""
    old = {**entry(created_at=clock.now() - timedelta(days=31)), "duration_ms": 1}
    for number in reversed(range(5)):
        LoggedCall.objects.create(id=1 + number, **{**old, "request_id": uuid.uuid4()})
    with transaction.atomic():
        read_as_the_table_lies()
        assert prune(batch=batch) == 5


def test_what_is_exactly_as_old_as_it_may_be_stays(monkeypatch):
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    pushed(entry(created_at=now - timedelta(days=30)))
    drain()
    for days in (400, 401):
        moment = now - timedelta(days=days)
        LostCalls.objects.create(id=uuid.uuid4(), calls=days, noticed_at=moment)
        CallHour.objects.create(
            account_id="acc_a",
            environment="test",
            key_id="key_a",
            secret_id=1,
            hour=moment,
            calls=days,
            errors=0,
            first_call_at=moment,
            last_call_at=moment,
        )

    assert prune() == 0
    assert sorted(CallHour.objects.values_list("calls", flat=True)) == [1, 400]
    assert [lost.calls for lost in LostCalls.objects.all()] == [400]


def test_a_call_is_forgotten_as_soon_as_it_is_older_than_30_days(clock_stands_still: datetime) -> None:
    pushed(entry(created_at=clock_stands_still - timedelta(days=30, microseconds=1)))
    drain()

    assert prune() == 1


def test_hours_are_counted_in_one_order_whatever_the_order_of_the_calls():
    """Two workers that count the same hours must not wait for each other crosswise."""
    keys = [f"key_{number:02}" for number in range(40)]
    pushed(*(entry(key_id=key) for key in reversed(keys)))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")  # groups are hashed, unless the statement orders them
        assert drain() == 40
    assert list(CallHour.objects.order_by("id").values_list("key_id", flat=True)) == keys
