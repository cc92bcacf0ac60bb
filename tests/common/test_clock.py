"""Timestamps on the wire, and the clock that they are read from."""

from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.common import clock
from apps.common.clock import rfc3339

zones = st.one_of(
    st.integers(-56, 56).map(lambda quarters: timezone(timedelta(minutes=15 * quarters))),
    st.sampled_from([ZoneInfo("Europe/Lisbon"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")]),
)
instants = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=zones)
TWICE = datetime(2026, 10, 25, 1, 30, tzinfo=ZoneInfo("Europe/Lisbon"))  # the hour that comes twice


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-20T14:03:22Z", datetime(2026, 11, 20, 14, 3, 22, tzinfo=UTC)),
        ("2026-11-20t16:03:22.120+02:00", datetime(2026, 11, 20, 14, 3, 22, 120_000, tzinfo=UTC)),
        ("2026-11-20T14:03:22.123456789z", datetime(2026, 11, 20, 14, 3, 22, 123_456, tzinfo=UTC)),
    ],
)
def test_an_instant_is_read_with_its_offset(text: str, instant: datetime):
    assert clock.read_rfc3339(text) == instant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-20",
        "2026-11-20T14:03:22",
        "2026-11-20T14:03Z",
        "2026-13-20T14:03:22Z",
        "２０２６-11-20T14:03:22Z",
    ],
)
def test_what_is_no_instant_is_refused(text: str):
    with pytest.raises(ValueError):
        clock.read_rfc3339(text)


@given(instants)
@example(TWICE)
@example(TWICE.replace(fold=1))
def test_a_timestamp_is_in_utc_with_milliseconds(instant: datetime):
    milliseconds = (instant.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    expected = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)

    assert rfc3339(instant) == f"{expected:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


class Database:
    """Its clock, and trips to it that take so many seconds, each half on the way there."""

    def __init__(self, *trips: float) -> None:
        self.now, self.trips, self.looks = 1000.0, list(trips), 0

    def cursor(self) -> "Database":
        return self

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def execute(self, statement: str) -> None:
        half = self.trips.pop(0) / 2
        self.looks += 1
        self.now += half
        self._told = datetime.fromtimestamp(self.now, UTC)
        self.now += half

    def fetchone(self) -> tuple[datetime]:
        return (self._told,)


@pytest.mark.parametrize(
    ("trips", "looks", "late"),
    [((0.05,), 1, 0.025), ((60.0, 0.002), 2, 0.001), ((60.0, 9.0, 4.0), 3, 2.0)],
)
def test_a_time_that_was_long_under_way_is_not_carried_on(
    monkeypatch: pytest.MonkeyPatch, trips: tuple[float, ...], looks: int, late: float
) -> None:
    database: Any = Database(*trips)
    monkeypatch.setattr(clock, "connection", database)
    monkeypatch.setattr(clock, "monotonic_time", SimpleNamespace(monotonic=lambda: database.now))
    monkeypatch.setattr(clock, "_carried", SimpleNamespace(ahead=0.0, until=clock.NEVER))

    told = clock.now().timestamp()

    assert (database.looks, told) == (looks, pytest.approx(database.now - late))
