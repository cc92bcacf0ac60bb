"""What a booking of LiteAPI's says of itself; whatever it does not say, or says oddly, is not said."""

from datetime import date
from typing import Any

import pytest

from apps.hotels.suppliers.base import StayFacts
from apps.hotels.suppliers.liteapi.mapping import facts_said

BOOKING: dict[str, Any] = {
    "checkin": "2027-02-03",
    "checkout": "2027-02-05T00:00:00",
    "hotel": {"hotelId": "lpstub01", "name": "Hotel Miradouro"},
    "bookedRooms": [{"roomType": {"name": "Double"}}, {"roomType": {"name": "Single"}}],
}
SAID = StayFacts(date(2027, 2, 3), date(2027, 2, 5), "lpstub01", "Hotel Miradouro", "Double, Single")


def test_dates_hotel_and_rooms_are_read() -> None:
    assert facts_said(BOOKING) == SAID


def test_a_booking_that_says_nothing_of_itself_has_no_facts() -> None:
    assert facts_said({}) == StayFacts()


@pytest.mark.parametrize(
    "odd",
    [
        {"checkin": None, "checkout": 7, "hotel": None, "bookedRooms": None},
        {"checkin": "soon", "checkout": {}, "hotel": [], "bookedRooms": {}},
        {"checkin": "", "checkout": "2027-13-01", "hotel": {"hotelId": 7, "name": ""}, "bookedRooms": []},
        {"checkin": [], "checkout": "", "hotel": "a", "bookedRooms": [None, {"roomType": "Double"}]},
        {"checkin": "0001-01-01T00:00:00Z", "checkout": "9999-12-31", "hotel": {}, "bookedRooms": []},
        {"checkin": 0, "checkout": 0, "hotel": 0, "bookedRooms": [{"roomType": {"name": "Double"}}, {}]},
    ],
    ids=str,
)
def test_what_cannot_be_read_is_not_said(odd: dict[str, Any]) -> None:
    assert facts_said(odd) == StayFacts()
