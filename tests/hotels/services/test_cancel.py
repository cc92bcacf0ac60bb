"""Cancelling when answers get lost, and when the hotel was first."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.hotels.services.cancel import CancelStay
from apps.hotels.suppliers.base import Cancellation
from apps.ledger.consistency import check_ledger
from apps.suppliers.models import SupplierAlert
from apps.suppliers.values import replaced
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import FrontDesk, in_days
from tests.hotels.suppliers.scripted import ScriptedHotels


def test_the_recovery_worker_finishes_a_lost_cancellation(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: Callable[..., None]
) -> None:
    booking = desk.booked()
    supplier.loses.add("cancel")
    desk.cancel(booking, {"reason": "Changed plans"})
    move_clock(seconds=60)
    assert recover_due() == 1
    cancelled = desk.read(booking["id"]).body
    assert (cancelled["status"], cancelled["cancellation"]["reason"]) == ("cancelled", "Changed plans")
    assert desk.balance() == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(("stated", "kept"), [(None, 0), (0, 0), (1_000, 1_000), (10**9, 10**9)])
def test_of_a_stay_that_the_hotel_ended_it_keeps_what_it_says_and_nothing_where_it_says_nothing(
    desk: FrontDesk,
    supplier: ScriptedHotels,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
    stated: int | None,
    kept: int,
) -> None:
    booking = desk.booked()
    read = supplier.read_booking

    def ended(*asked: Any) -> Any:
        return replaced(read(*asked), cancelled=True, penalty_cents=stated)

    monkeypatch.setattr(supplier, "read_booking", ended)
    penalty = min(kept, booking["totalCents"])
    cost = CancelStay().cancelled_by_supplier(Booking.objects.get())
    assert cost == Cancellation(penalty, booking["totalCents"] - penalty, "EUR")
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    cancellation = desk.read(booking["id"]).body["cancellation"]
    assert (cancellation["penaltyCents"], cancellation["refundCents"]) == (
        penalty,
        booking["totalCents"] - penalty,
    )
    assert desk.balance() == (BALANCE_CENTS - penalty, 0)
    assert check_ledger() == []


def test_of_a_stay_that_stands_the_hotels_new_number_is_kept_and_nothing_is_cancelled(
    desk: FrontDesk,
    supplier: ScriptedHotels,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
) -> None:
    booking = desk.booked()
    read = supplier.read_booking
    monkeypatch.setattr(
        supplier, "read_booking", lambda *asked: replaced(read(*asked), confirmation_code="H-4711")
    )
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 0
    after = desk.read(booking["id"]).body
    assert (after["status"], after["confirmationCode"]) == ("confirmed", "H-4711")


def test_a_booking_that_the_hotel_cancelled_first_is_a_conflict(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = desk.booked()
    supplier.call_off(booking["supplier"]["reference"])
    refused = desk.cancel(booking)
    assert (refused.status, refused.error_type) == (409, "conflict")
    assert supplier.read_booking(booking["supplier"]["reference"]).refund_cents == booking["totalCents"]


def test_of_a_stay_that_the_hotel_ended_a_cost_in_another_currency_is_none(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = desk.booked()["totalCents"]
    read = supplier.read_booking

    def ended(*asked: Any) -> Any:
        return replaced(read(*asked), cancelled=True, penalty_cents=1_000, currency="JPY")

    monkeypatch.setattr(supplier, "read_booking", ended)
    assert CancelStay().cancelled_by_supplier(Booking.objects.get()) == Cancellation(0, total, "EUR")
    assert SupplierAlert.objects.get().kind == "full_credit"


WHOLESALERS = ["htl_2267057_00", "htl_2267057_01", "htl_2267057_02"]
BEFORE, BETWEEN, AFTER = 0, 29, 31  # days from the booking: free, on the eve of the arrival, during the stay


def booked(desk: FrontDesk, hotel_id: str = WHOLESALERS[0], *, refundable: bool = True) -> dict[str, Any]:
    """Two nights from 30 days ahead."""
    return desk.booked(desk.rate({"hotelIds": [hotel_id], **two_nights()}, refundable=refundable))


def two_nights() -> dict[str, str]:
    return {"checkIn": in_days(30), "checkOut": in_days(32)}


def half(cents: int) -> int:
    return (cents + 1) // 2


@pytest.mark.parametrize("hotel_id", WHOLESALERS)
@pytest.mark.parametrize(
    ("days", "penalty"), [(BEFORE, lambda total: 0), (BETWEEN, half), (AFTER, lambda total: total)]
)
def test_a_refundable_booking_costs_what_its_policy_says_now(
    desk: FrontDesk,
    move_clock: Callable[..., None],
    hotel_id: str,
    days: int,
    penalty: Callable[[int], int],
) -> None:
    booking = booked(desk, hotel_id)
    move_clock(days=days)
    reply = desk.cancel(booking, {"reason": "Changed plans"})
    costs = penalty(booking["totalCents"])
    assert (reply.status, reply.body["status"]) == (200, "cancelled")
    cancellation = reply.body["cancellation"]
    assert cancellation == {
        "cancelledAt": cancellation["cancelledAt"],
        "penaltyCents": costs,
        "refundCents": booking["totalCents"] - costs,
        "currency": "EUR",
        "reason": "Changed plans",
    }
    assert desk.balance() == (BALANCE_CENTS - costs, 0)
    assert check_ledger() == []


def test_a_nonrefundable_booking_is_cancelled_at_full_penalty(desk: FrontDesk) -> None:
    booking = booked(desk, refundable=False)
    reply = desk.cancel(booking)
    assert reply.body["cancellation"]["penaltyCents"] == booking["totalCents"]
    assert reply.body["cancellation"]["refundCents"] == 0
    assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)
