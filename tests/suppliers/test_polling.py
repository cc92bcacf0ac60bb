from datetime import UTC, datetime, timedelta

import pytest

from apps.suppliers.vendors import PollingPace

PACE = PollingPace(usual=timedelta(days=1), close=timedelta(hours=1), close_from=timedelta(days=1))
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours_to_go", "pause_hours"),
    [(24 * 30, 24), (48, 24), (40, 16), (25.5, 1.5), (25, 1), (24, 1), (3, 1), (-5, 1)],
)
def test_looks_come_daily_and_hourly_in_the_last_day(hours_to_go: float, pause_hours: float) -> None:
    begins_at = NOW + timedelta(hours=hours_to_go)
    assert PACE.pause(NOW, begins_at) == timedelta(hours=pause_hours)
