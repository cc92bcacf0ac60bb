"""Every search and booking that cannot be meant is a 400 that names the field; sandbox triggers; the indexes of a listing."""

import re
from typing import Any

import pytest
from django.db import connection

from apps.bookings.models import Booking
from apps.hotels.models import HotelSearch
from tests.hotels.front_desk import ADA, BYRON, CONTACT, FrontDesk, faults, in_days
from tests.support.api import Api
from tests.support.multiply import multiply
from tests.support.plans import deep, plans_of

SEARCHES: list[tuple[dict[str, Any], list[str]]] = [
    ({"checkIn": -2}, ["checkIn"]),
    ({"checkIn": 541}, ["checkIn"]),
    ({"checkIn": "2027-02-30"}, ["checkIn"]),
    ({"checkIn": 10, "checkOut": 9}, ["checkOut"]),
    ({"checkIn": 10, "checkOut": 10}, ["checkOut"]),
    ({"checkIn": 10, "checkOut": 41}, ["checkOut"]),
    ({"checkOut": -1}, ["checkOut"]),
    ({"rooms": [{"adults": 9}] * 8}, [f"rooms.{n}.adults" for n in range(8)]),
    ({"rooms": [{"adults": 2}] * 9}, ["rooms"]),
    ({"rooms": []}, ["rooms"]),
    ({"rooms": [{"adults": 0}]}, ["rooms.0.adults"]),
    ({"rooms": [{"children": 1}]}, ["rooms.0.children"]),
    ({"rooms": [{"childrenAges": [5, 18]}]}, ["rooms.0.childrenAges.1"]),
    ({"rooms": [{"childrenAges": [1, 2, 3, 4, 5]}]}, ["rooms.0.childrenAges"]),
    ({"destination": {"countryCode": "XX"}}, ["destination.countryCode"]),
    ({"destination": {"city": "L" * 256}}, ["destination.city"]),
    ({"destination": {"town": "Lisbon"}}, ["destination.town"]),
    ({"guestNationality": "ZZ"}, ["guestNationality"]),
    ({"location": {"latitude": 91, "longitude": 0}}, ["location.latitude"]),
    ({"location": {"latitude": 0, "longitude": -180.1}}, ["location.longitude"]),
    ({"location": {"radiusKm": 5}}, ["location.latitude", "location.longitude"]),
    ({"location": {"latitude": 0, "longitude": 0, "radiusKm": 0}}, ["location.radiusKm"]),
    ({"hotelIds": []}, ["hotelIds"]),
    ({"hotelIds": ["htl_1_00", ""]}, ["hotelIds.1"]),
    ({"hotelIds": ["htl_1_00"] * 101}, ["hotelIds"]),
    ({"maxTotalCents": -1}, ["maxTotalCents"]),
    ({"limit": 0}, ["limit"]),
    ({"settlementMode": "traveller_paid"}, ["settlementMode"]),
    ({"limit": 0, "checkIn": -2, "unknown": 1}, ["checkIn", "limit", "unknown"]),
]

BOOKINGS: list[tuple[dict[str, Any], list[str]]] = [
    ({"rateId": 5}, ["rateId"]),
    ({"guests": []}, ["guests"]),
    ({"guests": [ADA] * 81}, ["guests"]),
    ({"guests": [{"firstName": "Ada"}]}, ["guests.0.lastName", "guests.0.type"]),
    ({"guests": [{**ADA, "type": "infant"}]}, ["guests.0.type"]),
    ({"guests": [{**ADA, "age": 40}]}, ["guests.0.age"]),
    ({"guests": [ADA, {**BYRON, "age": 18}]}, ["guests.1.age"]),
    ({"guests": [{**ADA, "title": "ms"}]}, ["guests.0.title"]),
    ({"guests": [{**ADA, "lastName": "L" * 256}]}, ["guests.0.lastName"]),
    ({"contact": {**CONTACT, "email": "nobody"}}, ["contact.email"]),
    ({"contact": {**CONTACT, "phone": "0351 21"}}, ["contact.phone"]),
    ({"contact": {}}, ["contact.email", "contact.phone"]),
    ({"externalReference": "r" * 65}, ["externalReference"]),
    ({"specialRequests": "r" * 1001}, ["specialRequests"]),
    ({"maxTotalCents": -1}, ["maxTotalCents"]),
    ({"paymentMethod": "card"}, ["paymentMethod"]),
]


@pytest.mark.parametrize(("body", "fields"), SEARCHES)
def test_a_search_that_cannot_be_meant_names_the_field(
    desk: FrontDesk, body: dict[str, Any], fields: list[str]
) -> None:
    dated = {
        name: in_days(value) if name in ("checkIn", "checkOut") and isinstance(value, int) else value
        for name, value in body.items()
    }
    reply = desk.search(dated)
    assert sorted(faults(reply)) == fields
    assert reply.headers["X-Search-Billable"] == "false"
    assert not HotelSearch.objects.exists()


@pytest.mark.parametrize(("body", "fields"), BOOKINGS)
def test_a_booking_that_cannot_be_meant_names_the_field(
    desk: FrontDesk, body: dict[str, Any], fields: list[str]
) -> None:
    complete = {"rateId": desk.rate()["rateId"], "guests": [ADA], "contact": CONTACT}
    reply = desk.api.post("/v1/hotels/bookings", {**complete, **body})
    assert sorted(faults(reply)) == fields
    assert not Booking.objects.exists()


def test_a_trigger_acts_only_once_the_handle_was_found(desk: FrontDesk) -> None:
    reply = desk.book("rate_unknown", X_Partner_Customer_Ref="sbx_payment_failed")
    assert (reply.status, reply.error_type) == (410, "offer_expired")
    assert "X-Sandbox-Trigger" not in reply.headers


COUNT = 5_000
LIST = "/v1/hotels/bookings"


@pytest.fixture
def crowded(desk: FrontDesk) -> Api:
    """A partner with thousands of bookings."""
    with connection.cursor() as cursor:
        multiply(cursor, desk.booked()["id"], COUNT)
    return desk.api


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("", "booking_newest_first"),
        ("?status=cancelled", "booking_by_status"),
    ],
)
def test_a_listing_walks_one_index(crowded: Api, query: str, index: str) -> None:
    assert_walks(plans_of(crowded, LIST + query, "bookings_booking"), index)


def test_one_booking_is_found_by_the_index_of_its_reference(crowded: Api) -> None:
    """By way of a bitmap or not: PostgreSQL thinks them as good for one row."""
    (plan,) = plans_of(crowded, f"{LIST}?externalReference=trip-4000", "bookings_booking")
    assert re.search("Index Scan (using|on) booking_by_partners_reference ", plan)
    assert re.findall(r"Seq Scan|Rows Removed by Filter: .*", plan, re.MULTILINE) == []
    assert int(re.search(r"actual rows=(\d+)", plan)[1]) == 1


def test_a_page_deep_down_walks_the_same_index(crowded: Api) -> None:
    row = Booking.objects.get(reference="N-4000")
    cursor = deep(crowded.get(LIST).body["nextCursor"], row.id, row.created_at.isoformat())
    path = f"{LIST}?cursor={cursor}"

    assert crowded.get(path).body["data"][0]["reference"] == "N-4001"
    assert_walks(plans_of(crowded, path, "bookings_booking"), "booking_newest_first")


def assert_walks(plans: list[str], index: str) -> None:
    """One statement: no row that is not shown is read, bar the one before the page and the one that tells of more."""
    (plan,) = plans
    assert f"Index Scan using {index} " in plan
    assert re.findall(r"Seq Scan|Sort|Bitmap|Rows Removed by Filter: (?!1$).*", plan, re.MULTILINE) == []
    assert int(re.search(r"actual rows=(\d+)", plan)[1]) <= 21
