from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from apps.hotels.rules import stayed
from apps.hotels.suppliers.base import Hotel
from apps.suppliers.airports import zone_at


def hotel(latitude: str, longitude: str, country: str, arrival: str | None, departure: str | None) -> Hotel:
    return Hotel(
        hotel_id="1", name="Inn", stars=3, street="", city="", country=country, latitude=Decimal(latitude),
        longitude=Decimal(longitude), amenities=(), check_in_from=arrival, check_out_until=departure,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("there", "hours"),
    [
        (hotel("35.68", "139.77", "JP", "16:30", "10:00"), ((15,), (7, 30), (1,))),
        (hotel("35.68", "139.77", "JP", None, None), ((15,), (6,), (3,))),
        (hotel("35.68", "139.77", "JP", "noon", "25:00"), ((15,), (6,), (3,))),
    ],
)
def test_a_stay_goes_by_the_hotels_own_times_or_by_three_and_noon(
    there: Hotel, hours: tuple[tuple[int, ...], ...]
) -> None:
    service = stayed(there, date(2027, 2, 3), date(2027, 2, 5))
    sold, begins, ends = hours
    assert service.sold_until == datetime(2027, 2, 3, *sold, tzinfo=UTC)
    assert service.begins_at == datetime(2027, 2, 3, *begins, tzinfo=UTC)
    assert service.ends_at == datetime(2027, 2, 5, *ends, tzinfo=UTC)


@pytest.mark.parametrize(
    ("latitude", "longitude", "country", "zone"),
    [
        (37.21, -7.41, "ES", "Europe/Madrid"),  # Ayamonte: the nearest airport is Portugal's
        (37.19, -7.44, "PT", "Europe/Lisbon"),  # over the river
        (28.1, -15.4, "ES", "Atlantic/Canary"),
        (41.9, 12.45, "VA", "Europe/Rome"),  # no airport of its own
        (42.66, 21.16, "XK", "Europe/Belgrade"),
        (38.7, -9.1, None, "Europe/Lisbon"),
        (None, None, "JP", "Asia/Tokyo"),
        (None, None, "PT", "Europe/Lisbon"),  # the Azores are later
        (None, None, None, None),
        (None, None, "ZZ", None),
    ],
)
def test_a_place_keeps_the_time_of_its_countrys_nearest_airport(
    latitude: float | None, longitude: float | None, country: str | None, zone: str | None
) -> None:
    found = zone_at(latitude, longitude, country)
    assert (str(found) if found else None) == zone
