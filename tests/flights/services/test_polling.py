"""How often an order is looked at: what real suppliers have no limit for, their other callers would pay for."""

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from apps.bookings.handlers import polling_pause
from apps.bookings.models import Booking, Product
from apps.flights.details import OrderDetails
from apps.flights.itinerary import OrderSlice
from apps.flights.suppliers.base import Conditions, Slice
from apps.suppliers.values import to_json

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
FLIGHT = timedelta(hours=7)


def booked(*departures: datetime, supplier: str = "duffel") -> Booking:
    legs = [Slice("", "LHR", "JFK", at, at + FLIGHT, 420, ()) for at in departures]
    details = OrderDetails(
        offer_id="offer_1",
        carrier="SN",
        carrier_name="Brussels Airlines",
        cabin="economy",
        slices=tuple(OrderSlice(f"slice_{number}", leg) for number, leg in enumerate(legs)),
        conditions=Conditions(False, False, None),
        passengers=(),
        email="",
        phone="",
    )
    return Booking(product=Product.FLIGHT, supplier_name=supplier, details=to_json(details))


@pytest.mark.parametrize(
    ("days_to_departures", "pause"),
    [
        ([30, 44], timedelta(days=1)),
        ([2.5, 16.5], timedelta(hours=12)),
        ([1, 15], timedelta(hours=1)),
        ([-1, 13], timedelta(days=1)),
        ([-15, -0.1], timedelta(hours=1)),
    ],
    ids=["long before", "nearly close", "close", "between two flights", "on the last flight"],
)
def test_looks_come_daily_and_hourly_in_the_two_days_before_a_departure(
    days_to_departures: list[float], pause: timedelta
) -> None:
    booking = booked(*(NOW + timedelta(days=days) for days in days_to_departures))
    assert polling_pause(booking, NOW) == pause


def test_the_simulator_goes_by_the_settings(settings: Settings) -> None:
    settings.SUPPLIER_NEWS_SECONDS = 1_234.0
    assert polling_pause(booked(NOW, supplier="simulator"), NOW) == timedelta(seconds=1_234)
