"""What a booking at LiteAPI says for the desk, at once and days later."""

from collections.abc import Callable
from typing import Any

import pytest
from orjson import loads

from apps.bookings.flow.polling import has_ended, poll_suppliers
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking
from apps.hotels.suppliers.base import NO_NOTES
from apps.hotels.suppliers.liteapi.mapping import LONGEST_REMARK, MOST_NAMED, SHOWS_IDENTITY, desk_notes
from apps.webhooks.models import Event
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.liteapi.stub import LiteApiStub
from tests.hotels.suppliers.liteapi.test_webhooks import send

pytestmark = [pytest.mark.django_db]

KNOWN = {"kind": "know_before_you_go", "text": "Cash is not accepted."}
PARKING = {"kind": "optional_fees", "text": "Parking: EUR 15 a night & car."}
IDENTITY = {"kind": "check_in_instructions", "text": SHOWS_IDENTITY}


def changes_told() -> list[dict[str, Any]]:
    events = Event.objects.filter(type="booking.supplier_changed").order_by("created_at")
    return [change for event in events for change in loads(event.payload)["data"]["changes"]]


def read_again(booking: dict[str, Any], desk: FrontDesk) -> dict[str, Any]:
    has_ended(Booking.objects.get(pk=booking["id"]))
    return dict(desk.read(booking["id"]).body)


def test_how_to_check_in_comes_later_by_their_webhook_and_completes_the_booking(
    desk: FrontDesk, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    booking = desk.booked()
    assert (booking["remarks"], booking["hotelPhone"], booking["hotelEmail"]) == (
        [KNOWN, PARKING],
        None,
        None,
    )
    reference = booking["supplier"]["reference"]
    stub.books.instruct(reference, instructions="<p>The key is at the <b>bar</b>.</p>")
    assert send(stub, "booking.checkinInstruction", reference) == 200
    follow_hints()
    move_clock(seconds=1)
    poll_suppliers()
    shown = desk.read(booking["id"]).body
    key = {"kind": "check_in_instructions", "text": "The key is at the bar ."}
    assert (shown["remarks"], shown["hotelPhone"]) == ([KNOWN, PARKING, IDENTITY, key], "+351 21 000 00 07")
    assert shown["updatedAt"] > booking["updatedAt"]
    assert changes_told() == []


def test_other_words_are_told_without_them(desk: FrontDesk, stub: LiteApiStub) -> None:
    booking = desk.booked()
    stored = stub.books.bookings[booking["supplier"]["reference"]]
    stored["knowBeforeYouGo"] = "Ask Ada Lovelace for the key 4711."
    shown = read_again(booking, desk)
    assert [remark["text"] for remark in shown["remarks"]] == [stored["knowBeforeYouGo"], PARKING["text"]]
    assert changes_told() == [{"field": "remarks", "before": None, "after": None}]
    read_again(booking, desk)
    stub.books.instruct(booking["supplier"]["reference"])
    read_again(booking, desk)
    other = {"phone": "+351 21 000 00 08", "email": "desk@example.com"}
    stub.books.instruct(booking["supplier"]["reference"], propertyContact=other)
    assert read_again(booking, desk)["hotelEmail"] == "desk@example.com"
    assert changes_told()[1:] == [
        {"field": "hotelPhone", "before": "+351 21 000 00 07", "after": "+351 21 000 00 08"}
    ]


def test_a_reading_that_says_less_changes_nothing(desk: FrontDesk, stub: LiteApiStub) -> None:
    booking = desk.booked()
    stub.books.instruct(booking["supplier"]["reference"])
    before = read_again(booking, desk)
    stored = stub.books.bookings[booking["supplier"]["reference"]]
    stored.update(dict.fromkeys(["knowBeforeYouGo", "optionalFees", "checkinInstructions"]))
    assert (read_again(booking, desk), changes_told()) == (before, [])


def test_the_guests_own_wish_is_no_remark_of_the_hotels(desk: FrontDesk, stub: LiteApiStub) -> None:
    booking = desk.booked(specialRequests="A cot, please")
    stub.books.bookings[booking["supplier"]["reference"]]["remarks"] = "A cot, please"
    assert read_again(booking, desk)["remarks"] == [KNOWN, PARKING]


ODD: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, []),
    ({"knowBeforeYouGo": None, "mandatoryFees": "", "optionalFees": "<p> </p>"}, []),
    ({"knowBeforeYouGo": 7, "bookedRooms": "none", "checkinInstructions": []}, []),
    (
        {
            "knowBeforeYouGo": {"text": "Lost"},
            "bookedRooms": [None, {"rate": None}, {"rate": {"remarks": 3}}],
        },
        [],
    ),
    (
        {"mandatoryFees": ["City tax", "Towels"]},
        [("mandatory_fees", "City tax"), ("mandatory_fees", "Towels")],
    ),
    ({"specialRemarks": "No lift", "remarks": "No lift"}, [("information", "No lift")]),
    (
        {"bookedRooms": [{"rate": {"remarks": "Quiet", "boardName": "RO"}, "remarks": "A cot"}]},
        [("information", "Quiet")],
    ),
    ({"checkinInstructions": {"idRequired": "true", "instructions": None, "propertyContact": "none"}}, []),
    ({"checkinInstructions": {"idRequired": True}}, [("check_in_instructions", SHOWS_IDENTITY)]),
    ({"knowBeforeYouGo": "A\0\ud800B"}, [("know_before_you_go", "AB")]),
]


@pytest.mark.parametrize(("booking", "found"), ODD)
def test_what_is_read_of_odd_answers(booking: dict[str, Any], found: list[tuple[str, str]]) -> None:
    notes = desk_notes(booking)
    assert [(one["kind"], one["text"]) for one in loads(notes.remarks)] == found
    assert (notes.hotel_phone, notes.hotel_email) == (None, None)
    assert notes == NO_NOTES or found or booking.get("checkinInstructions")


def test_long_and_many_texts_are_bounded() -> None:
    notes = desk_notes({"mandatoryFees": ["x" * 9_000] + [str(number) for number in range(99)]})
    told = loads(notes.remarks)
    assert (len(told), len(told[0]["text"])) == (MOST_NAMED, LONGEST_REMARK)
