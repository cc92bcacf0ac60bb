"""Every search and booking that cannot be meant is a 400 that names the field."""

from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.hotels.models import HotelSearch
from tests.hotels.front_desk import ADA, BYRON, CONTACT, FrontDesk, faults, in_days

SEARCHES: list[tuple[dict[str, Any], list[str]]] = [
    ({"checkIn": -2}, ["checkIn"]),
    ({"checkIn": 541}, ["checkIn"]),
    ({"checkIn": "2027-02-30"}, ["checkIn"]),
    ({"checkIn": 10, "checkOut": 9}, ["checkOut"]),
    ({"checkIn": 10, "checkOut": 10}, ["checkOut"]),
    ({"checkIn": 10, "checkOut": 41}, ["checkOut"]),
    ({"checkOut": -1}, ["checkOut"]),
    ({"rooms": [{"adults": 9}] * 8}, [f"rooms.{n}.adults" for n in range(8)]),
    ({"rooms": [{"adults": 9}] * 9}, ["rooms"]),
    ({"rooms": [{"adults": 2}] * 9}, ["rooms"]),
    ({"rooms": []}, ["rooms"]),
    ({"rooms": [{"adults": 0}]}, ["rooms.0.adults"]),
    ({"rooms": [{"adults": 2}, {"adults": 9}]}, ["rooms.1.adults"]),
    ({"rooms": [{"children": 1}]}, ["rooms.0.children"]),
    ({"rooms": [{"childrenAges": [5, 18]}]}, ["rooms.0.childrenAges.1"]),
    ({"rooms": [{"childrenAges": [-1]}]}, ["rooms.0.childrenAges.0"]),
    ({"rooms": [{"childrenAges": [1, 2, 3, 4, 5]}]}, ["rooms.0.childrenAges"]),
    ({"destination": {"countryCode": "XX"}}, ["destination.countryCode"]),
    ({"destination": {"countryCode": "pt"}}, ["destination.countryCode"]),
    ({"destination": {"city": ""}}, ["destination.city"]),
    ({"destination": {"city": "L" * 256}}, ["destination.city"]),
    ({"destination": {"town": "Lisbon"}}, ["destination.town"]),
    ({"guestNationality": "ZZ"}, ["guestNationality"]),
    ({"location": {"latitude": 91, "longitude": 0}}, ["location.latitude"]),
    ({"location": {"latitude": 0, "longitude": -180.1}}, ["location.longitude"]),
    ({"location": {"latitude": 38.7}}, ["location.longitude"]),
    ({"location": {"longitude": -9.1}}, ["location.latitude"]),
    ({"location": {"radiusKm": 5}}, ["location.latitude", "location.longitude"]),
    ({"location": {"latitude": 0, "longitude": 0, "radiusKm": 0}}, ["location.radiusKm"]),
    ({"location": {"latitude": 0, "longitude": 0, "radiusKm": 101}}, ["location.radiusKm"]),
    ({"hotelIds": []}, ["hotelIds"]),
    ({"hotelIds": ["htl_1_00", ""]}, ["hotelIds.1"]),
    ({"hotelIds": ["htl_1_00"] * 101}, ["hotelIds"]),
    ({"maxTotalCents": -1}, ["maxTotalCents"]),
    ({"limit": 0}, ["limit"]),
    ({"limit": 101}, ["limit"]),
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
    ({"guests": [{**ADA, "age": 12}]}, ["guests.0.age"]),
    ({"guests": [ADA, {**BYRON, "age": 18}]}, ["guests.1.age"]),
    ({"guests": [ADA, {**BYRON, "age": -1}]}, ["guests.1.age"]),
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


@pytest.mark.parametrize("field", ["rateId", "guests", "contact"])
def test_a_booking_needs_a_rate_guests_and_a_contact(desk: FrontDesk, field: str) -> None:
    complete = {"rateId": "rate_x", "guests": [ADA], "contact": CONTACT}
    del complete[field]
    assert faults(desk.api.post("/v1/hotels/bookings", complete)) == [field]
