"""What the hotel says after the booking: its confirmation number, and what it alters."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from orjson import loads

from apps.accounts.actors import SUPPORT
from apps.bookings.erasure import erase_travellers
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.models import Booking
from apps.common import clock
from apps.hotels.details import StayDetails
from apps.hotels.services.hotel_changes import keep_what_hotel_says
from apps.hotels.suppliers.base import DeskNotes, Remark, Stay, StayFacts, text_of
from apps.suppliers.values import replaced
from apps.webhooks.models import Event
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.scripted import ScriptedHotels


def saying(supplier: ScriptedHotels, booking: Booking, **facts: Any) -> Stay:
    """The booking as the hotel has it, but for these."""
    return replaced(supplier.read_booking(booking.supplier_reference), **facts)


def changes_told() -> list[list[tuple[str, str, str]]]:
    events = Event.objects.filter(type="booking.supplier_changed").order_by("created_at")
    return [
        [
            (change["field"], change["before"], change["after"])
            for change in loads(event.payload)["data"]["changes"]
        ]
        for event in events
    ]


def stored_of(booking: dict[str, Any]) -> Booking:
    return Booking.objects.get(pk=booking["id"])


def test_a_number_that_appears_is_no_change_and_one_that_is_replaced_is_told_once(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = desk.booked()
    stored = stored_of(booking)
    Booking.objects.update(details={**stored.details, "confirmation_code": None})
    keep_what_hotel_says(stored_of(booking), saying(supplier, stored, confirmation_code="H-1"))
    assert changes_told() == []
    for _ in range(2):
        keep_what_hotel_says(stored_of(booking), saying(supplier, stored, confirmation_code="H-2"))
    assert changes_told() == [[("confirmationCode", "H-1", "H-2")]]
    assert desk.read(booking["id"]).body["confirmationCode"] == "H-2"


def test_other_dates_are_told_and_the_booking_is_watched_until_the_new_end(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = desk.booked()
    stored = stored_of(booking)
    check_out = StayDetails.of(stored).check_out + timedelta(days=1)
    keep_what_hotel_says(stored, saying(supplier, stored, facts=StayFacts(check_out=check_out)))
    assert changes_told() == [[("checkOut", booking["checkOut"], check_out.isoformat())]]
    assert desk.read(booking["id"]).body["checkOut"] == check_out.isoformat()
    assert stored_of(booking).watched_until == clock.day_after(check_out)


def test_guests_that_are_moved_to_another_hotel_are_told_which(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = desk.booked()
    stored = stored_of(booking)
    elsewhere = StayFacts(hotel_id="another", hotel_name="Hotel Vizinho")
    keep_what_hotel_says(stored, saying(supplier, stored, facts=elsewhere))
    hotel = booking["hotel"]
    assert changes_told() == [
        [("hotel.hotelId", hotel["hotelId"], "another"), ("hotel.name", hotel["name"], "Hotel Vizinho")]
    ]
    shown = desk.read(booking["id"]).body["hotel"]
    assert (shown["hotelId"], shown["name"], shown["stars"], shown["amenities"]) == (
        "another",
        "Hotel Vizinho",
        0,
        [],
    )


def test_names_are_compared_with_what_the_supplier_said_before_and_not_with_the_offer(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = desk.booked()
    stored = stored_of(booking)
    hotel_id = booking["hotel"]["hotelId"]

    def says(room: str | None, hotel: str | None = "The Hotel") -> None:
        facts = StayFacts(hotel_id=hotel_id, hotel_name=hotel, room_name=room)
        keep_what_hotel_says(stored_of(booking), saying(supplier, stored, facts=facts))

    says("Double Standard")
    says(None, None)
    says("Double Standard")
    assert (changes_told(), desk.read(booking["id"]).body["room"]) == ([], booking["room"])
    says("Single, no window", "The Hotel Lisbon")
    names = (booking["hotel"]["name"], booking["room"]["roomName"])
    assert changes_told() == [
        [("hotel.name", names[0], "The Hotel Lisbon"), ("room.roomName", names[1], "Single, no window")]
    ]


@pytest.mark.parametrize("status", ["cancelled", "failed"])
def test_of_what_no_longer_stands_nothing_is_told(
    desk: FrontDesk, supplier: ScriptedHotels, status: str
) -> None:
    stored = stored_of(desk.booked())
    Booking.objects.update(status=status)
    keep_what_hotel_says(stored, saying(supplier, stored, confirmation_code="H-2"))
    assert (changes_told(), stored_of({"id": stored.pk}).details) == ([], stored.details)


def test_where_the_event_cannot_be_written_the_next_reading_tells(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = stored_of(desk.booked())
    said = saying(supplier, stored, confirmation_code="H-2")

    def fail(**_: object) -> None:
        raise OperationalError

    with monkeypatch.context() as broken:
        broken.setattr("apps.bookings.flow.settle.emit_many", fail)
        with pytest.raises(OperationalError):
            keep_what_hotel_says(stored, said)
    keep_what_hotel_says(stored_of({"id": stored.pk}), said)
    assert len(changes_told()) == 1


def test_the_sandbox_alters_a_booking_when_it_is_asked_to(desk: FrontDesk) -> None:
    made = desk.book(desk.rate(), X_Partner_Customer_Ref="sbx_supplier_changed")
    assert (made.status, made.headers["X-Sandbox-Trigger"]) == (201, "sbx_supplier_changed")
    poll_suppliers()
    code = desk.read(made.body["id"]).body["confirmationCode"]
    assert changes_told() == [[("confirmationCode", made.body["confirmationCode"], code)]]


NIGHT = timedelta(days=1)


@pytest.mark.parametrize("name", ["check_in", "check_out", "hotel_id", "hotel_name", "room_name"])
def test_a_reading_that_no_longer_says_a_fact_changes_nothing(
    desk: FrontDesk, supplier: ScriptedHotels, name: str
) -> None:
    booking = desk.booked()
    stored = stored_of(booking)
    said = getattr(StayDetails.of(stored), name) + NIGHT if name.startswith("check") else "another"
    keep_what_hotel_says(stored, saying(supplier, stored, facts=StayFacts(**{name: said})))
    known = stored_of(booking)
    assert known.updated_at > stored.updated_at
    keep_what_hotel_says(known, saying(supplier, stored, facts=StayFacts()))
    assert (stored_of(booking).details, stored_of(booking).updated_at) == (known.details, known.updated_at)


def test_another_hotel_without_a_name_keeps_the_known_one(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    booking = desk.booked()
    stored = stored_of(booking)
    keep_what_hotel_says(stored, saying(supplier, stored, facts=StayFacts(hotel_id="another")))
    assert changes_told() == [[("hotel.hotelId", booking["hotel"]["hotelId"], "another")]]
    shown = desk.read(booking["id"]).body["hotel"]
    assert shown["name"] == booking["hotel"]["name"]
    assert shown["address"]["street"] == "Not known yet: ask the hotel."
    placed = [StayDetails.of(each).hotel for each in (stored, stored_of(booking))]
    assert len({(hotel.city, hotel.country, hotel.latitude, hotel.longitude) for hotel in placed}) == 1


def test_what_the_hotel_says_for_the_desk_is_sealed_and_forgotten_with_the_travellers(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = desk.booked()
    kinds = {remark["kind"] for remark in booking["remarks"]}
    assert "know_before_you_go" in kinds
    assert booking["hotelPhone"].startswith("+1202555")
    notes = DeskNotes(text_of([Remark("check_in_instructions", "Zzyzx: the code is 4711.")]), "+4711", None)
    keep_what_hotel_says(stored_of(booking), saying(supplier, stored_of(booking), desk=notes))
    assert "Zzyzx" not in str(stored_of(booking).details)
    assert [one["before"] for one in all_changes()] == [booking["hotelPhone"], None]
    shown = desk.cancel(booking).body
    assert [remark["text"] for remark in shown["remarks"]][-1] == "Zzyzx: the code is 4711."
    erase_travellers(booking=stored_of(booking), erased_by=SUPPORT)
    forgotten = desk.read(booking["id"]).body
    assert "check_in_instructions" not in {remark["kind"] for remark in forgotten["remarks"]}
    assert (forgotten["hotelPhone"], forgotten["hotelEmail"]) == (None, None)


def all_changes() -> list[dict[str, Any]]:
    events = Event.objects.filter(type="booking.supplier_changed").order_by("created_at")
    return [change for event in events for change in loads(event.payload)["data"]["changes"]]
