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
from apps.suppliers.errors import Rejected, SupplierError, Unavailable
from apps.suppliers.values import replaced
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.scripted import ScriptedHotels


@pytest.mark.parametrize(
    ("error", "status", "type"),
    [(Rejected, 502, "upstream_error"), (Unavailable, 503, "upstream_unavailable")],
)
def test_a_refusal_leaves_the_booking_as_it_was(
    desk: FrontDesk, supplier: ScriptedHotels, error: type[SupplierError], status: int, type: str
) -> None:
    booking = desk.booked()
    supplier.raises["cancel"] = error
    refused = desk.cancel(booking)
    assert (refused.status, refused.error_type) == (status, type)
    assert desk.read(booking["id"]).body == booking
    assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)


def test_a_lost_answer_is_found_by_the_retry_and_refunds_once(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = desk.booked()
    supplier.loses.add("cancel")
    path = f"/v1/hotels/bookings/{booking['id']}/cancel"
    assert desk.api.post(path, {}, key="cancel-once").status == 503
    assert desk.read(booking["id"]).body["status"] == "confirmed"
    found = desk.api.post(path, {}, key="cancel-once")
    assert (found.status, found.body["status"]) == (200, "cancelled")
    assert desk.balance() == (BALANCE_CENTS, 0)
    assert check_ledger() == []


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


def test_while_a_cancellation_is_under_way_no_other_begins(desk: FrontDesk, supplier: ScriptedHotels) -> None:
    booking = desk.booked()
    supplier.loses.add("cancel")
    desk.cancel(booking)
    second = desk.cancel(booking)
    assert (second.status, second.error_type) == (409, "conflict")


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
