"""Timestamps on the wire."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from apps.common.clock import rfc3339

zones = st.one_of(
    st.integers(-56, 56).map(lambda quarters: timezone(timedelta(minutes=15 * quarters))),
    st.sampled_from([ZoneInfo("Europe/Lisbon"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")]),
)
instants = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=zones)
TWICE = datetime(2026, 10, 25, 1, 30, tzinfo=ZoneInfo("Europe/Lisbon"))  # the hour that comes twice


@given(instants)
@example(TWICE)
@example(TWICE.replace(fold=1))
def test_a_timestamp_is_in_utc_with_milliseconds(instant: datetime):
    milliseconds = (instant.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    expected = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)

    assert rfc3339(instant) == f"{expected:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"
