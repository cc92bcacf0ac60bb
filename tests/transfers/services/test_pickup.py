"""What of a pick-up is news."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from orjson import loads

from apps.bookings.flow.polling import poll_suppliers
from apps.transfers.services.pickup import keep_pickup, merged
from apps.transfers.suppliers.base import Operator, Pickup
from apps.webhooks.models import Event
from tests.support.api import Api
from tests.transfers.agency import a_company, an_offer, an_order, order, read, the_booking

AT, LATER = datetime(2027, 2, 3, 14, 30), datetime(2027, 2, 3, 15)


@pytest.mark.parametrize(
    ("known", "told", "merge"),
    [
        (Pickup(AT, "Exit A."), Pickup(AT, "Exit A."), Pickup(AT, "Exit A.")),
        (Pickup(AT, "Exit A.", "+34"), Pickup(None, ""), Pickup(AT, "Exit A.", "+34")),
        (Pickup(None, "Exit A."), Pickup(AT, ""), Pickup(AT, "Exit A.")),
        (Pickup(AT, "Exit A.", "+34"), Pickup(LATER, "Exit B."), Pickup(LATER, "Exit B.", "+34")),
        (Pickup(AT, "Exit A.", "+34"), Pickup(None, "", "+351"), Pickup(AT, "Exit A.", "+351")),
    ],
)
def test_what_is_told_takes_the_place_of_what_is_known(known: Pickup, told: Pickup, merge: Pickup) -> None:
    assert merged(known, told) == merge


def test_a_pick_up_that_is_moved_after_the_booking_is_shown_from_then_on(api, monkeypatch, move_clock):
    company = a_company(monkeypatch)
    order = an_order(api)
    before = the_booking(order["id"])
    reading = company.read_order

    def moved(*asked: Any) -> Any:
        return replace(reading(*asked), pickup=Pickup(LATER, "Exit B."))

    monkeypatch.setattr(company, "read_order", moved)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 0
    after = read(api, order["id"])
    assert (after["pickup"]["at"], after["pickup"]["instructions"]) == ("2027-02-03T15:00:00", "Exit B.")
    assert after["legs"][0]["pickup"] == after["pickup"]
    moved_since = {"pickup": None, "legs": None, "updatedAt": None}
    assert {**after, **moved_since} == {**order, **moved_since}
    assert the_booking(order["id"]).updated_at > before.updated_at


def changes_told() -> list[list[tuple[str, str, str]]]:
    events = Event.objects.filter(type="booking.supplier_changed").order_by("created_at")
    return [
        [
            (change["field"], change["before"], change["after"])
            for change in loads(event.payload)["data"]["changes"]
        ]
        for event in events
    ]


def test_each_difference_is_told_once(api: Api) -> None:
    booking = the_booking(an_order(api)["id"])
    keep_pickup(booking, Pickup(AT, "Exit A.", "+34 1"), Operator("Cars SL"))
    before = changes_told()
    later = LATER.replace(microsecond=500_000)
    for _ in range(2):
        keep_pickup(the_booking(booking.id), Pickup(later, "Exit A.", "+34 2"), Operator("Vans SL"))
    assert changes_told()[len(before) :] == [
        [
            ("pickup.at", "2027-02-03T14:30:00", "2027-02-03T15:00:00"),
            ("pickup.emergencyPhone", "+34 1", "+34 2"),
            ("operator.name", "Cars SL", "Vans SL"),
        ]
    ]
    assert read(api, booking.id)["operator"]["name"] == "Vans SL"


def test_what_is_told_for_the_first_time_is_no_difference(api: Api) -> None:
    booking = the_booking(an_order(api)["id"])
    booking.details["pickup"] |= {"at": None, "emergency_phone": None}
    booking.save()
    keep_pickup(booking, Pickup(LATER, "", "+34 1"), Operator("Cars SL"))
    assert changes_told() == []
    after = read(api, booking.id)
    assert (after["pickup"]["at"], after["pickup"]["emergencyPhone"]) == ("2027-02-03T15:00:00", "+34 1")
    assert after["operator"]["name"] == "Cars SL"


def test_an_order_that_is_not_confirmed_yet_gets_nothing_before_its_confirmation(api: Api) -> None:
    booking = the_booking(an_order(api)["id"])
    booking.details["pickup"] = None
    booking.save()
    keep_pickup(booking, Pickup(LATER, "Exit B."), Operator("Vans SL"))
    stored = the_booking(booking.id)
    assert (stored.details, stored.updated_at, changes_told()) == (booking.details, booking.updated_at, [])


def test_the_sandbox_alters_an_order_when_it_is_asked_to(api: Api) -> None:
    made = order(api, an_offer(api)["quoteId"], ref="sbx_supplier_changed")
    assert (made.status, made.headers["X-Sandbox-Trigger"]) == (201, "sbx_supplier_changed")
    poll_suppliers()
    after = read(api, made.body["id"])["pickup"]
    ((at, instructions),) = changes_told()
    assert at == ("pickup.at", made.body["pickup"]["at"], after["at"])
    before = made.body["pickup"]["instructions"]
    assert instructions == ("pickup.instructions", before, after["instructions"])
