"""What an order reserves before its supplier is asked, and one live booking a reference."""

from collections.abc import Callable

import pytest

from apps.accounts.models import Account
from apps.bookings.flow import reserve
from apps.bookings.flow.reserve import NewBooking
from apps.bookings.models import Booking, Operation
from apps.gateway.idempotency import Claim, claim
from apps.gateway.models import IdempotencyRecord
from apps.gateway.requests import Caller
from apps.ledger.models import Hold
from apps.ledger.services.adjust import adjust
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected
from tests.bookings.books import funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights


def test_everything_a_later_process_needs_is_kept(shop: FlightShop, supplier: ScriptedFlights) -> None:
    offer = shop.offer()
    reply = shop.order(offer, externalReference="PO-1")
    operation = latest()
    assert operation.client_ref == operation.booking.reference == reply.body["reference"]
    assert operation.amount_cents == offer["totalCents"]
    assert operation.request["offer"]["total_cents"] == offer["totalCents"]
    assert operation.request_id == operation.booking.request_id == reply.headers["X-Request-Id"]
    assert operation.key_id == operation.booking.key_id
    hold = Hold.objects.get()
    (line,) = hold.transactions.filter(type="hold")
    assert (hold.reference, hold.pk) == (operation.client_ref, operation.hold_id)
    assert (line.booking_reference, line.request_id) == (operation.booking.reference, operation.request_id)


def test_a_live_external_reference_is_refused_with_its_booking(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    first = shop.order(offer, externalReference="PO-1").body
    second = shop.order(offer, externalReference="PO-1")
    assert (second.status, second.error_type) == (409, "conflict")
    assert second.error["bookingId"] == first["id"]
    assert funds(onboarded) == (BALANCE_CENTS - offer["totalCents"], 0)
    assert (Booking.objects.count(), Operation.objects.count(), Hold.objects.count()) == (1, 1, 1)


def test_a_failed_booking_frees_its_external_reference_and_a_pending_one_does_not(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    offer = shop.offer()
    supplier.spoil("book", Rejected())
    assert shop.order(offer, externalReference="PO-1").status == 502
    supplier.spoil("book", OutcomeUnknown())
    assert shop.order(offer, externalReference="PO-1").status == 503
    reply = shop.order(offer, externalReference="PO-1")
    assert (reply.status, reply.error["bookingId"]) == (409, latest().booking.id)


def test_a_cancelled_booking_keeps_its_external_reference(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    offer = shop.offer()
    order = shop.order(offer, externalReference="PO-1").body
    assert shop.cancel(order["id"]).status == 200
    assert shop.order(offer, externalReference="PO-1").error["bookingId"] == order["id"]


def test_a_reference_freed_between_the_clash_and_the_look_is_taken(
    shop: FlightShop, supplier: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = shop.offer()
    supplier.spoil("book", OutcomeUnknown())
    shop.order(offer, externalReference="PO-1")
    look = reserve._holder_of_reference

    def just_freed(booking: Booking) -> str | None:
        Booking.objects.update(status="failed")
        return look(booking)

    monkeypatch.setattr(reserve, "_holder_of_reference", just_freed)
    assert shop.order(offer, externalReference="PO-1").status == 201


def test_a_reference_that_was_drawn_before_is_drawn_anew(
    shop: FlightShop, supplier: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = shop.ordered()["reference"]
    drawn = iter([taken, taken, "F-22222222"])
    monkeypatch.setattr(reserve, "new_reference", lambda product: next(drawn))
    assert shop.ordered()["reference"] == "F-22222222"
    assert violations(supplier.report()) == []


def test_a_call_whose_key_another_one_has_by_now_reserves_nothing(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its successor is still at work, so that the key is claimed all the same: under another token."""
    offer = shop.offer()
    hold = reserve.reserve_booking

    def paused(*, caller: Caller, new: NewBooking) -> Operation:
        move_clock(seconds=46)
        record = IdempotencyRecord.objects.get(pk=caller.claim and caller.claim.record_id)
        assert isinstance(claim(caller.partner, record.key, record.fingerprint), Claim)
        return hold(caller=caller, new=new)

    monkeypatch.setattr("apps.bookings.flow.reserve.reserve_booking", paused)
    late = shop.order(offer, "one-and-the-same")
    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert (Booking.objects.count(), Operation.objects.count(), supplier.calls("book")) == (0, 0, 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)


def test_an_account_stopped_after_the_gateway_looked_is_still_refused(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    offer = shop.offer()
    Account.objects.filter(pk=onboarded.account.pk).update(status="read-only")  # behind the key cache's back
    reply = shop.order(offer)
    assert (reply.status, reply.error_type) == (403, "account_not_active")
    assert (Booking.objects.count(), supplier.calls("reprice")) == (0, 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)


def test_a_dearer_change_that_is_not_covered_leaves_no_operation(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    order = shop.ordered()
    option = shop.options(order)[-1]
    adjust(
        account_id=onboarded.account.id,
        environment="test",
        amount_cents=option["differenceCents"] - 1 - funds(onboarded)[0],
        currency="EUR",
        reference="all but a cent too little",
    )
    reply = shop.change(order["id"], option)
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    assert reply.error["requiredCents"] == option["differenceCents"]
    assert (supplier.calls("change"), Operation.objects.count()) == (0, 1)
