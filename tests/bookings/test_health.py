"""The bookings' part of /health/full, at the edges of its ages."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.bookings.health import bookings
from apps.common import clock
from apps.keys.models import ApiKey
from tests.bookings.rows import a_booking, an_operation
from tests.factories.keys import issued_key

pytestmark = pytest.mark.usefixtures("still_clock")
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
NONE = {
    "underAMinute": 0,
    "underAnHour": 0,
    "older": 0,
    "withStaff": 0,
    "settlementsLateSeconds": 0,
    "settlementsFailing": 0,
}
TICK = timedelta(microseconds=1)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def key(db: None, monkeypatch: pytest.MonkeyPatch) -> ApiKey:
    key, _ = issued_key(environment="live")
    monkeypatch.setattr(clock, "_database_now", lambda: NOW)
    return key


def begun(key: ApiKey, *, ago: timedelta, state: str = "uncertain") -> None:
    an_operation(a_booking(key), state=state, created_at=NOW - ago)


@pytest.mark.parametrize(
    ("ago", "counted", "status"),
    [
        (timedelta(0), "underAMinute", "ok"),
        (MINUTE - TICK, "underAMinute", "ok"),
        (MINUTE, "underAnHour", "ok"),
        (HOUR - TICK, "underAnHour", "ok"),
        (HOUR, "older", "degraded"),
        (timedelta(days=3), "older", "degraded"),
    ],
)
@pytest.mark.parametrize("state", ["calling", "uncertain"])
def test_an_operation_without_an_end_is_counted_by_its_age(
    key: ApiKey, state: str, ago: timedelta, counted: str, status: str
) -> None:
    begun(key, ago=ago, state=state)
    assert bookings() == {"status": status, **NONE, counted: 1, "newsLateSeconds": 0}


@pytest.mark.parametrize(
    ("late", "seconds", "status"),
    [
        (-HOUR, 0, "ok"),
        (timedelta(0), 0, "ok"),
        (HOUR, 3_600, "ok"),
        (HOUR + timedelta(seconds=1), 3_601, "degraded"),
    ],
)
def test_polls_may_be_an_hour_late(key: ApiKey, late: timedelta, seconds: int, status: str) -> None:
    a_booking(key, next_news_at=NOW - late)
    a_booking(key, next_news_at=NOW - late + timedelta(minutes=1))
    a_booking(key, next_news_at=None)
    a_booking(key, environment="test", next_news_at=NOW - timedelta(days=9))
    assert bookings() == {"status": status, **NONE, "newsLateSeconds": seconds}
