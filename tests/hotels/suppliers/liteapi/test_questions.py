"""Where our search bodies send theirs, and who leads a room."""

from decimal import Decimal
from typing import Any

import pytest

from apps.hotels.suppliers.base import Area, Guest, Room
from apps.hotels.suppliers.liteapi.adapter import lead_guests, places, searches
from apps.suppliers.errors import InvalidField
from apps.suppliers.values import replaced
from tests.hotels.suppliers.requests import a_search

AREA = Area(Decimal("38.72509"), Decimal("-9.1498"), Decimal("2.5"))
NOWHERE = {"city": None, "country": None}


@pytest.mark.parametrize(
    ("asked", "theirs"),
    [
        ({"hotel_ids": ("lp1", "lp2"), "area": AREA}, {"hotelIds": ["lp1", "lp2"]}),
        ({"area": AREA}, {"latitude": 38.72509, "longitude": -9.1498, "radius": 2500}),
        (
            {"area": replaced(AREA, radius_km=Decimal("0.1"))},
            {"latitude": 38.72509, "longitude": -9.1498, "radius": 1000},
        ),
        ({}, {"countryCode": "PT", "cityName": "Lisbon"}),
        ({"country": None}, {"countryCode": "PT", "cityName": "Lisbon"}),
        ({"city": "München", "country": None}, {"countryCode": "DE", "cityName": "Munich"}),
        ({"city": "Nowhereville", "country": "US"}, {"countryCode": "US", "cityName": "Nowhereville"}),
    ],
)
def test_the_narrowest_place_is_asked_for(asked: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert places(a_search(**asked)) == [theirs]


def test_a_country_is_asked_for_by_its_largest_cities_and_nothing_by_the_featured_ones() -> None:
    assert [place["cityName"] for place in places(a_search(city=None, country="PT"))] == [
        "Lisbon",
        "Porto",
        "Braga",
    ]
    assert [place["cityName"] for place in places(a_search(**NOWHERE))] == ["Lisbon", "Barcelona", "Paris"]


def test_a_city_that_nobody_knows_needs_its_country() -> None:
    with pytest.raises(InvalidField) as raised:
        places(a_search(city="Nowhereville", country=None))
    assert raised.value.field == "destination.countryCode"


def test_the_body_of_a_search() -> None:
    rooms = (Room(2, (4, 9)), Room(1))
    (body,) = searches(a_search(rooms=rooms, guest_nationality="DE", limit=7))
    assert body == {
        "occupancies": [{"adults": 2, "children": [4, 9]}, {"adults": 1, "children": []}],
        "checkin": "2027-02-03",
        "checkout": "2027-02-06",
        "currency": "EUR",
        "guestNationality": "DE",
        "maxRatesPerHotel": 10,
        "limit": 7,
        "margin": 0,
        "includeHotelData": True,
        "roomMapping": True,
        "countryCode": "PT",
        "cityName": "Lisbon",
    }


def test_what_is_sifted_here_is_asked_for_in_plenty() -> None:
    (body,) = searches(a_search(max_total_cents=10_000, refundable_only=True, limit=7))
    assert (body["limit"], body["refundableRatesOnly"], body["guestNationality"]) == (100, True, "US")


@pytest.mark.parametrize(
    ("asked", "limit"),
    [
        ({}, 7),
        ({"area": AREA, **NOWHERE}, 7),
        ({"hotel_ids": ("lp1",), **NOWHERE}, 7),
        ({"area": AREA}, 100),
        ({"area": AREA, "city": None}, 100),
        ({"hotel_ids": ("lp1",)}, 100),
        ({"hotel_ids": ("lp1",), "area": AREA, **NOWHERE}, 100),
        ({"area": replaced(AREA, radius_km=Decimal("0.9")), **NOWHERE}, 100),
    ],
)
def test_where_several_say_where_plenty_is_asked_for(asked: dict[str, Any], limit: int) -> None:
    (body,) = searches(a_search(limit=7, **asked))
    assert body["limit"] == limit


@pytest.mark.parametrize(
    ("guests", "rooms", "leads"),
    [
        ("Ann Ben Cid", [2, 1], "Ann Cid"),
        ("Ann Ben Cid", [1, 2], "Ann Ben"),
        ("Ann Ben", [2, 2], "Ann Ben"),
        ("ann Ben", [2], "Ben"),
        ("ann Ben bob Cid", [1, 1], "Ben Cid"),
    ],
)
def test_each_room_has_its_lead(guests: str, rooms: list[int], leads: str) -> None:
    """Children are written small."""
    named = tuple(Guest(name, "X", "child" if name.islower() else "adult") for name in guests.split())
    assert [guest.first_name for guest in lead_guests(named, rooms)] == leads.split()
