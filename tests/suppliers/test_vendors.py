"""A supplier's declaration: credentials, look-ups, polls."""

from datetime import UTC, datetime, timedelta

import pytest
from environ import Env

from apps.suppliers.registry import SIMULATOR
from apps.suppliers.vendors import Lookups, PollingPace, read_credentials, vendors_of


class Told(Env):
    """An environment of these variables alone."""

    ENVIRON = {"ACME_KEY": "k", "ACME_LENIENT": "true"}


def test_credentials_are_read_for_every_vendor_that_needs_any() -> None:
    products = ("flights", "esim")
    found = read_credentials(products, Told())
    assert set(found) == {name for product in products for name in vendors_of(product)} - {SIMULATOR}
    assert found["duffel"] == {
        "access_token": "",
        "webhook_secret": "",
        "base_url": "https://api.duffel.com",
        "cancel_into_vouchers": False,
    }


LOOKUPS = Lookups(at=(30, 120, 600), give_up_after=3600)


@pytest.mark.parametrize(("elapsed", "first"), [(0, 30), (29.5, 30), (30, 30), (131, 131)])
def test_the_first_look_is_due_at_once_where_its_time_is_past(elapsed: float, first: float) -> None:
    assert LOOKUPS.first(elapsed) == first


@pytest.mark.parametrize(
    ("elapsed", "following"), [(0, 30), (30, 120), (131, 600), (600, 3600), (3599.9, 3600), (3600, None)]
)
def test_looks_follow_the_schedule_and_end_with_giving_up(elapsed: float, following: float | None) -> None:
    assert LOOKUPS.following(elapsed) == following


PACE = PollingPace(usual=timedelta(days=1), close=timedelta(hours=1), close_from=timedelta(days=1))
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours_to_go", "pause_hours"),
    [(24 * 30, 24), (48, 24), (40, 16), (25.5, 1.5), (25, 1), (24, 1), (3, 1), (-5, 1)],
)
def test_looks_come_daily_and_hourly_in_the_last_day(hours_to_go: float, pause_hours: float) -> None:
    begins_at = NOW + timedelta(hours=hours_to_go)
    assert PACE.pause(NOW, begins_at) == timedelta(hours=pause_hours)
