from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.common import clock, redis
from apps.gateway.heartbeats import leave
from apps.gateway.periodic.models import TaskRecord
from apps.status import measuring
from apps.status.checking import WORKERS
from apps.status.measuring import check, count_calls, measure, minutes_by_day
from apps.status.models import StatusDay, StatusMark
from apps.suppliers.alerts import alert
from apps.suppliers.alerts.models import AlertKind
from tests.status.conftest import Log

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sold_live")]


def counted() -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (row.component, row.supplier): (row.calls, row.failed)
        for row in StatusDay.objects.filter(calls__gt=0)
    }


def checked() -> dict[tuple[str, str], tuple[int, int, int]]:
    return {
        (row.component, row.supplier): (row.checks, row.failed_checks, row.unmeasured)
        for row in StatusDay.objects.all()
    }


@pytest.fixture(autouse=True)
def noon(move_clock: Callable[..., None]) -> None:
    """No test runs into the next day."""
    move_clock(hours=36 - clock.now().hour)


def workers_live() -> None:
    for who in WORKERS:
        leave(who)


def test_each_call_counts_once_for_the_api_and_for_its_product(log: Log) -> None:
    log(3)
    log(status=502)
    log(status=404)
    log(status=500)
    log(status=503, product="account")
    assert (count_calls(), count_calls()) == (7, 0)
    log(2)
    measure()
    assert counted() == {("api", ""): (9, 2), ("hotels", "nuitee"): (8, 2)}


def test_what_fails_on_purpose_in_a_sandbox_counts_nowhere(log: Log) -> None:
    log(environment="test", status=502)
    log(environment="test", status=503)
    log(environment="test", status=500)
    log(environment="", status=401)
    count_calls()
    assert counted() == {("api", ""): (4, 1), ("sandbox", ""): (3, 1)}


def test_calls_belong_to_the_day_on_which_they_came(log: Log) -> None:
    log(2, at=datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC))
    log(1, at=datetime(2026, 3, 2, tzinfo=UTC))
    count_calls()
    days = StatusDay.objects.filter(component="api").order_by("day").values_list("day", "calls")
    assert list(days) == [(date(2026, 3, 1), 2), (date(2026, 3, 2), 1)]


def test_a_backlog_is_counted_in_steps(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "CALLS_OF_A_STEP", 4)
    log(9)
    assert [count_calls() for _ in range(4)] == [4, 4, 1, 0]
    assert counted()["api", ""] == (9, 0)


def test_a_check_a_minute_whoever_asks(move_clock) -> None:
    workers_live()
    check()
    check()
    move_clock(seconds=60)
    workers_live()
    check()
    assert checked() == dict.fromkeys(
        [("api", ""), ("hotels", "nuitee"), ("webhooks", ""), ("background", ""), ("sandbox", "")], (2, 0, 0)
    )


@pytest.mark.parametrize("dead", WORKERS)
def test_a_worker_without_a_heartbeat_fails_its_check(dead: str) -> None:
    workers_live()
    redis.run(lambda client: client.delete(f"heartbeat:{dead}"))
    check()
    assert checked()["background", ""] == (1, 1, 0)
    assert checked()["api", ""] == (1, 0, 0)


def test_without_redis_nothing_is_sold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.gateway.probes.redis_answers", lambda: False)
    check()
    assert [checked()[key] for key in (("api", ""), ("hotels", "nuitee"))] == [(1, 1, 0), (1, 1, 0)]


def test_a_supplier_that_refuses_us_fails_its_product_for_ten_minutes(move_clock) -> None:
    alert("nuitee", AlertKind.WALLET_EMPTY, "no credit")
    check()
    assert checked()["hotels", "nuitee"] == (1, 1, 0)
    move_clock(seconds=60)
    alert("nuitee", AlertKind.PRICE_ABOVE_QUOTE, "one booking")
    move_clock(minutes=10)
    check()
    assert checked()["hotels", "nuitee"] == (2, 1, 10)


def test_a_supplier_that_no_task_reaches_twice_fails_its_product() -> None:
    record = TaskRecord.objects.create(task="x", failing={"nuitee": 1, "": 2})
    check()
    assert checked()["hotels", "nuitee"] == (1, 0, 0)
    StatusMark.objects.update(checked_at=None)
    record.failing = {"nuitee": 2}
    record.save()
    check()
    assert checked()["hotels", "nuitee"] == (2, 1, 0)


def test_minutes_without_a_check_are_told_as_such_and_as_failed_where_it_is_known_why(move_clock) -> None:
    check()
    move_clock(minutes=30)
    check()
    assert checked()["api", ""] == (2, 0, 29)
    away_since = clock.now() + timedelta(minutes=1)
    move_clock(minutes=10)
    check(database_away_since=away_since)
    assert checked()["api", ""] == (12, 9, 29)
    assert checked()["sandbox", ""][2] == 38


def test_a_gap_over_midnight_is_parted() -> None:
    since = datetime(2026, 3, 1, 23, 50, tzinfo=UTC)
    assert minutes_by_day(since, since + timedelta(minutes=30)) == {date(2026, 3, 1): 9, date(2026, 3, 2): 20}
    assert minutes_by_day(since, since + timedelta(seconds=90)) == {}
