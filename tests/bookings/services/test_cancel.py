"""Cancelling: the supplier first, then the money, once; and what else may be going on with the booking at that time."""

from collections.abc import Callable

import pytest

from apps.bookings.flow import cancel
from apps.bookings.flow.cancel import cancel_booking, refuse_unless_standing
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.handlers import cancelled, refuse_dear_penalty
from apps.bookings.models import Booking, Operation, Settlement
from apps.common.errors import Conflict
from apps.gateway.requests import Caller
from apps.keys import authentication
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, Rejected, Unavailable
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights


def test_a_refundable_order_costs_its_penalty(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    order = shop.ordered()
    total, penalty = order["totalCents"], order["conditions"]["penaltyCents"]
    reply = shop.cancel(order["id"], reason="ill")
    assert (reply.status, reply.body["status"], reply.body["totalCents"]) == (200, "cancelled", total)
    assert 0 < penalty < total
    assert reply.body["cancellation"] == {
        "cancelledAt": reply.body["cancellation"]["cancelledAt"],
        "penaltyCents": penalty,
        "refundCents": total - penalty,
        "currency": "EUR",
        "reason": "ill",
    }
    assert funds(onboarded) == (BALANCE_CENTS - penalty, 0)
    assert sorted(events()) == ["booking.cancelled", "booking.confirmed", "payment.refunded"]
    assert supplier.open_transactions == []
    assert (latest().amount_cents, latest().hold_id) == (0, "")
    assert violations(supplier.report()) == []


def test_a_non_refundable_order_is_cancelled_at_its_whole_price(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    order = shop.ordered(shop.offer(refundable=False))
    reply = shop.cancel(order["id"])
    assert reply.body["cancellation"]["refundCents"] == 0
    assert funds(onboarded) == (BALANCE_CENTS - order["totalCents"], 0)
    assert events() == ["booking.confirmed", "booking.cancelled"]
    assert violations(supplier.report()) == []


def test_what_the_supplier_will_not_cancel_is_asked_for_at_once(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    """Its office may have cancelled it already: the money should not come back with the news of tomorrow."""
    order = shop.ordered()
    reference = order["supplier"]["reference"]
    supplier.simulator.cancel("by-its-office", reference, supplier.simulator.quote_cancellation(reference))
    supplier.spoil("quote_cancellation", NotPossible("it is cancelled"))
    assert shop.cancel(order["id"]).status == 409
    assert shop.read(order["id"])["status"] == "ticketed"

    assert poll_suppliers() == 1
    assert shop.read(order["id"])["status"] == "cancelled"
    assert funds(onboarded) == (BALANCE_CENTS - order["conditions"]["penaltyCents"], 0)


def test_a_penalty_above_the_partners_limit_cancels_nothing(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    order = shop.ordered()
    penalty = order["conditions"]["penaltyCents"]
    reply = shop.cancel(order["id"], maxPenaltyCents=penalty - 1)
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert (reply.error["penaltyCents"], reply.error["currency"]) == (penalty, "EUR")
    assert (shop.read(order["id"])["status"], supplier.calls("cancel")) == ("ticketed", 0)
    assert funds(onboarded) == (BALANCE_CENTS - order["totalCents"], 0)
    assert shop.cancel(order["id"], maxPenaltyCents=penalty).status == 200


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_what_does_not_stand_cannot_be_cancelled(
    shop: FlightShop, supplier: ScriptedFlights, status: str
) -> None:
    order = shop.ordered()
    booking = latest().booking
    booking.status = status
    booking.save()
    reply = shop.cancel(order["id"])
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert supplier.calls("quote_cancellation") == 0


@pytest.mark.parametrize("method", ["quote_cancellation", "cancel"])
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Rejected(), 502),
        (Unavailable(), 503),
        (NotPossible("flown"), 409),
        (Expired("the penalty moved"), 502),
    ],
)
def test_a_refused_cancellation_leaves_the_order_standing(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    method: str,
    error: Exception,
    status: int,
) -> None:
    order = shop.ordered()
    supplier.spoil(method, error)
    assert shop.cancel(order["id"]).status == status
    assert (shop.read(order["id"])["status"], latest().state) == ("ticketed", "failed")
    assert funds(onboarded) == (BALANCE_CENTS - order["totalCents"], 0)
    assert shop.cancel(order["id"]).status == 200
    assert violations(supplier.report()) == []


def test_while_a_cancellation_is_unclear_nothing_else_may_begin(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    order = shop.ordered()
    option = shop.options(order)[-1]
    supplier.spoil("cancel", OutcomeUnknown())
    assert shop.cancel(order["id"]).status == 503
    for reply in (shop.cancel(order["id"]), shop.change(order["id"], option)):
        assert (reply.status, reply.error_type) == (409, "conflict")
        assert reply.error["bookingId"] == order["id"]
    assert (supplier.calls("cancel"), supplier.calls("change")) == (1, 0)
    assert Operation.objects.count() == 2


def test_a_cancellation_during_a_change_is_refused_and_the_change_stands(
    shop: FlightShop, supplier: ScriptedFlights
) -> None:
    order = shop.ordered()
    option = shop.options(order)[-1]
    replies = []
    supplier.meanwhile("change", lambda: replies.append(shop.cancel(order["id"])))
    assert shop.change(order["id"], option).status == 200
    assert [(reply.status, reply.error_type) for reply in replies] == [(409, "conflict")]
    assert shop.read(order["id"])["totalCents"] == option["newTotalCents"]
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("last", ["cancel", "change"])
def test_what_was_cancelled_since_it_was_read_is_refused_under_the_lock(
    shop: FlightShop, supplier: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """The slower of two calls read the order while it still stood."""
    order = shop.ordered()
    option = shop.options(order)[-1]
    from apps.flights import views

    read = views.booking_of  # type: ignore[attr-defined]

    def slowly(*args: object) -> object:
        booking = read(*args)
        monkeypatch.setattr(views, "booking_of", read)
        assert shop.cancel(order["id"]).status == 200
        return booking

    monkeypatch.setattr(views, "booking_of", slowly)
    late = shop.cancel(order["id"]) if last == "cancel" else shop.change(order["id"], option)
    assert (late.status, late.error_type) == (409, "conflict")
    assert (supplier.calls("quote_cancellation"), supplier.calls("change")) == (1, 0)
    assert Operation.objects.count() == 2
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("credit_first", [True, False])
def test_a_credit_still_owed_is_paid_beside_the_refund(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, credit_first: bool
) -> None:
    order = shop.ordered()
    option = shop.options(order)[0]
    assert option["differenceCents"] < 0
    changed = shop.change(order["id"], option).body
    assert (changed["settled"], changed["order"]["totalCents"]) == (False, option["newTotalCents"])
    assert Settlement.objects.get().amount_cents == -option["differenceCents"]
    steps: list[Callable[[], object]] = [settle_owed, lambda: shop.cancel(order["id"])]
    for step in steps if credit_first else reversed(steps):
        step()
    cancelled = shop.read(order["id"])
    penalty = cancelled["cancellation"]["penaltyCents"]
    assert cancelled["cancellation"]["refundCents"] == option["newTotalCents"] - penalty
    assert cancelled["changes"][0]["settled"] is True
    assert funds(onboarded) == (BALANCE_CENTS - penalty, 0)
    assert events().count("payment.refunded") == 2
    assert violations(supplier.report()) == []


def test_a_penalty_above_the_price_refunds_nothing(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = shop.ordered()
    from apps.flights.suppliers.base import Cancellation

    dear = Cancellation(order["totalCents"] + 500, 0, "EUR", {})
    monkeypatch.setattr(supplier.simulator, "quote_cancellation", lambda reference: dear)
    monkeypatch.setattr(supplier.simulator, "cancel", lambda client_ref, reference, quote: dear)
    reply = shop.cancel(order["id"])
    assert (reply.status, reply.body["cancellation"]["refundCents"]) == (200, 0)
    assert funds(onboarded) == (BALANCE_CENTS - order["totalCents"], 0)


def cancelling(**request: object) -> Operation:
    """The cancellation of a booking of 10.00 EUR."""
    booking = Booking(total_cents=1_000, currency="EUR", supplier_reference="their-7", status="confirmed")
    return Operation(booking=booking, kind="cancel", client_ref="H-7-X7", request=request)


@pytest.mark.parametrize(
    ("penalty", "refund"),
    [(0, 1_000), (999, 1), (1_000, 0), (1_001, 0)],
    ids=["all", "a cent", "none", "less"],
)
def test_money_comes_back_and_is_told_of_from_a_cent_on(penalty: int, refund: int) -> None:
    outcome = cancelled(cancelling(reason="ill"), penalty_cents=penalty, details={"rooms": 2})
    told = {"refundCents": refund, "currency": "EUR"}
    assert [(fact.type, fact.data) for fact in outcome.events] == [
        ("booking.cancelled", {"refunded": refund > 0, **told}),
        *([("payment.refunded", told)] if refund else []),
    ]
    assert (outcome.status, outcome.refund_cents, outcome.total_cents) == ("cancelled", refund, 1_000)
    assert (outcome.details, outcome.supplier_reference) == ({"rooms": 2}, "their-7")
    assert outcome.cancellation is not None
    assert (outcome.cancellation["penaltyCents"], outcome.cancellation["reason"]) == (1_000 - refund, "ill")


def test_what_was_held_and_not_paid_is_not_refunded_as_well() -> None:
    outcome = cancelled(
        cancelling(), penalty_cents=300, details={}, release_hold_id="hold_1", release_keeps_cents=300
    )
    assert (outcome.release_hold_id, outcome.release_keeps_cents, outcome.refund_cents) == ("hold_1", 300, 0)
    assert outcome.cancellation is not None
    assert outcome.cancellation["refundCents"] == 700


def test_refusals_of_ours_may_be_kept_in_the_request_log() -> None:
    with pytest.raises(Conflict) as standing:
        refuse_unless_standing(Booking(status="pending"))
    with pytest.raises(Conflict) as dear:
        refuse_dear_penalty(cancelling(maxPenaltyCents=299), 300)
    assert [one.value.own_texts for one in (standing, dear)] == [
        {"The booking is pending."},
        {"Cancelling costs more than maxPenaltyCents; nothing was cancelled."},
    ]


def test_what_is_known_not_to_stand_is_refused_before_anything_is_locked(
    onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = Caller(authentication.look_up(onboarded.test_secret), "a-command")
    monkeypatch.setattr(cancel, "reserve_modification", pytest.fail)
    with pytest.raises(Conflict):
        cancel_booking(
            caller=caller, booking=Booking(status="cancelled"), reason=None, max_penalty_cents=None
        )
