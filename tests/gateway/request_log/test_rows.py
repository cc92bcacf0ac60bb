"""From the writer to PostgreSQL: each call once, however often it is written."""

import uuid
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest
from django.db import connection, transaction

from apps.common import clock
from apps.gateway.request_log import rows
from apps.gateway.request_log.models import CallHour, LoggedCall, LostCalls
from apps.gateway.request_log.prune import prune
from apps.gateway.request_log.rows import COLUMNS
from tests.support.plans import read_as_the_table_lies
from tests.support.threads import all_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon")]


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


def write(*entries: dict[str, Any]) -> int:
    return rows.write([orjson.dumps(one) for one in entries])


def counts() -> list[tuple[Any, ...]]:
    return list(CallHour.objects.order_by("hour").values_list("secret_id", "calls", "errors"))


def test_hours_are_counted_by_when_calls_came():
    now = clock.now().replace(minute=30)
    write(entry(created_at=now), entry(created_at=now - timedelta(hours=1)))
    write(entry(created_at=now - timedelta(minutes=5), status=400))
    write(entry(created_at=now - timedelta(minutes=4), status=399))

    assert counts() == [(1, 1, 0), (1, 3, 1)]
    last = CallHour.objects.latest("hour")
    assert (last.first_call_at, last.last_call_at) == (now - timedelta(minutes=5), now)


@pytest.mark.parametrize("turns", [(10, 30, 20), (30, 10, 20), (20, 30, 10)])
def test_an_hour_knows_its_errors_and_its_first_and_last_call_whenever_they_are_written(
    turns: tuple[int, ...],
) -> None:
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    for minute in turns:
        write(entry(created_at=hour + timedelta(minutes=minute), status=404 if minute > 10 else 200))

    counted = CallHour.objects.get()
    assert (counted.calls, counted.errors, counted.first_call_at, counted.last_call_at) == (
        3,
        2,
        hour + timedelta(minutes=10),
        hour + timedelta(minutes=30),
    )


def test_a_call_of_nobodys_is_kept_and_counted_nowhere():
    write(entry(account_id=None, environment="", key_id=None, secret_id=None, status=401))

    assert (LoggedCall.objects.get().account_id, CallHour.objects.count()) == (None, 0)


def test_every_column_is_written():
    columns = {field.column for field in LoggedCall._meta.concrete_fields} - {"id"}

    assert set(COLUMNS) == columns


def test_calls_are_forgotten_after_30_days_and_their_counts_later():
    now = clock.now()
    days = [401, 45, 31, 29, 1]
    for day in days:
        write(*(entry(created_at=now - timedelta(days=day)) for _ in range(3)))

    assert prune(batch=4) == 9
    ages = LoggedCall.objects.order_by("id").values_list("created_at", flat=True)
    assert [(now - created_at).days for created_at in ages] == [29] * 3 + [1] * 3
    assert CallHour.objects.count() == 4


@pytest.mark.parametrize(("ages", "gone"), [((0, 31, 0, 31, 0, 31), 3), ((31, 0, 0, 31), 2)])
def test_old_calls_are_forgotten_that_were_written_after_younger_ones(ages: tuple[int, ...], gone: int):
    """A call that took long, or waited for Redis, is written after those that came later."""
    now = clock.now()
    for days in ages:
        write(entry(created_at=now - timedelta(days=days)))

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
    write(entry(created_at=now - timedelta(days=30)))
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
    write(entry(created_at=clock_stands_still - timedelta(days=30, microseconds=1)))

    assert prune() == 1


def test_what_is_written_twice_is_there_and_counted_once() -> None:
    calls = [entry(), entry(status=404), entry(secret_id=2)]
    write(*calls, calls[0])
    write(*calls, entry())
    assert LoggedCall.objects.count() == 4
    assert sorted(counts()) == [(1, 3, 1), (2, 1, 0)]


def test_processes_side_by_side_write_every_call_once() -> None:
    keys = [f"key_{number:02}" for number in range(40)]
    orders = [keys, keys[::-1], keys, keys[::-1]]
    all_at_once([lambda order=order: write(*(entry(key_id=key) for key in order)) for order in orders])
    assert LoggedCall.objects.count() == 160
    assert set(CallHour.objects.values_list("key_id", "calls")) == {(key, 4) for key in keys}


def test_an_entry_that_the_table_refuses_keeps_no_other_out(caplog: pytest.LogCaptureFixture) -> None:
    refused, lacking = entry(method="x" * 17), entry()
    del lacking["path"]
    assert write(entry(), refused, entry(), entry(user_agent="a\0b"), lacking) == 3
    assert LoggedCall.objects.count() == 2
    assert f"A call could not be logged: {refused['request_id']}" in caplog.text


def test_hours_are_counted_in_one_order_whatever_the_order_of_the_calls() -> None:
    """Two processes that count the same hours must not wait for each other crosswise."""
    keys = [f"key_{number:02}" for number in range(40)]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")  # groups are hashed, unless the statement orders them
        assert write(*(entry(key_id=key) for key in reversed(keys))) == 0
    assert list(CallHour.objects.order_by("id").values_list("key_id", flat=True)) == keys
