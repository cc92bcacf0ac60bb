"""What is sent for a search and a booking, and the list of what stands there."""

from decimal import Decimal
from typing import Any

import pytest

from apps.common import clock
from apps.hotels.suppliers.base import Area, Guest, Room
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels, lead_guests, places, searches
from apps.hotels.tasks import look_for_orphans
from apps.suppliers.errors import InvalidField, Unavailable
from apps.suppliers.models import SupplierAlert
from apps.suppliers.values import replaced
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import BOOK, LIST_BY_DAYS, LiteApiStub, refused
from tests.hotels.suppliers.requests import a_rate, a_search, a_stay
from tests.support.supplier_stub import refusal

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


@pytest.mark.parametrize(
    ("asked", "theirs"),
    [
        ({"stars": (4, 5)}, {"starRating": [4, 4.5, 5, 5.5]}),
        ({"boards": ("BB", "HB")}, {"boardType": "BB,BB1,BB2,BB3,BI,HB"}),
        ({"min_review_score": Decimal("8.5")}, {"minRating": 8.5}),
        ({"name": "Río"}, {"hotelName": "Río"}),
        ({"facilities": ("gym",)}, {}),
        ({"sort": "price"}, {}),
    ],
)
def test_their_own_filters_are_used_and_more_hotels_asked_for(
    asked: dict[str, Any], theirs: dict[str, Any]
) -> None:
    (plain,) = searches(a_search(limit=7))
    (body,) = searches(a_search(limit=7, **asked))
    assert body == {**plain, "limit": 200, **theirs}


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


pytestmark = pytest.mark.django_db


def test_what_was_refused_and_stands_there_all_the_same_is_told_once(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    rate = desk.rate()
    desk.booked(rate)
    stub.trouble(*BOOK, refused(2013))
    assert desk.book(rate).status == 502
    assert look_for_orphans() == 0

    given_up = desk.api.get("/v1/hotels/bookings?status=failed").body["data"][0]["reference"]
    theirs = write_down(stub, given_up)
    write_down(stub, "H-ANOTHERS")
    assert (look_for_orphans(), look_for_orphans()) == (1, 1)
    assert list(SupplierAlert.objects.values_list("kind", "detail", "count")) == [
        ("unresolved", f"{given_up} was given up here, {theirs} stands there", 2)
    ]


@pytest.mark.parametrize("spelling", ["in snake case", "in camel case"])
def test_they_are_asked_for_as_the_list_by_days_wants_it(
    hotels: LiteApiHotels, stub: LiteApiStub, spelling: str
) -> None:
    stub.books.snake_lists = spelling == "in snake case"
    request = a_stay(hotels.check_rate(a_rate(hotels)))
    stay = hotels.book(request)
    today = clock.today()
    assert hotels.standing(today, today) == {request.client_ref: stay.supplier_reference}
    (asked,) = stub.heard_by(*LIST_BY_DAYS)
    assert asked.query == {
        "bookingStartDate": today.isoformat(),
        "bookingEndDate": today.isoformat(),
        "status": "confirmed",
    }


@pytest.mark.parametrize("item", [None, 7, {"client_reference": "H-1"}], ids=str)
def test_an_item_that_cannot_be_read_hides_no_other(
    hotels: LiteApiHotels, stub: LiteApiStub, item: Any
) -> None:
    listed = {"client_reference": "H-2", "booking_Id": "BK2"}
    stub.trouble(*LIST_BY_DAYS, refusal(200, {"data": [item, listed]}))
    assert hotels.standing(clock.today(), clock.today()) == {"H-2": "BK2"}
    stub.trouble(*LIST_BY_DAYS, refusal(200, {"data": [item, item]}))
    with pytest.raises(Unavailable):
        hotels.standing(clock.today(), clock.today())


def test_what_was_cancelled_there_is_no_orphan(desk: FrontDesk, stub: LiteApiStub) -> None:
    rate = desk.rate()
    desk.booked(rate)
    stub.trouble(*BOOK, refused(2013))
    desk.book(rate)
    given_up = desk.api.get("/v1/hotels/bookings?status=failed").body["data"][0]["reference"]
    stub.books.bookings[write_down(stub, given_up)]["status"] = "CANCELLED"
    assert look_for_orphans() == 0


def write_down(stub: LiteApiStub, reference: str) -> str:
    """Their late booking under a reference; its id."""
    first = next(iter(stub.books.bookings.values()))
    stub.books.bookings[f"LATE-{reference}"] = {
        **first,
        "bookingId": f"LATE-{reference}",
        "clientReference": reference,
    }
    return f"LATE-{reference}"
