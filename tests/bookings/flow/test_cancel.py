"""Cancelling: the supplier first, then the money, once; and what else may be going on with the booking at that time."""

from collections.abc import Callable
from functools import partial

import pytest

from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry
from apps.bookings.flow.cancel import REASON, cancel_for_member
from apps.bookings.flow.members import new_key
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation, Settlement
from apps.common.errors import (
    AccountNotActive,
    Conflict,
    GatewayError,
    IdempotencyKeyInProgress,
    IdempotencyKeyReuse,
    InternalError,
    RateLimitExceeded,
    UpstreamError,
    UpstreamUnavailable,
)
from apps.keys import authentication
from apps.keys.partner import Partner
from apps.ledger.models import LedgerTransaction
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, Rejected, Unavailable
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db


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


MoveClock = Callable[..., None]


@pytest.fixture
def partner(onboarded: Onboarded) -> Partner:
    return without_key(authentication.look_up(onboarded.test_secret))


def without_key(found: Partner, status: str = "active") -> Partner:
    return Partner(
        account_id=found.account_id,
        account_status=status,
        key_id="",
        environment="test",
        scopes=frozenset(),
        allowed_ips=(),
        currency="EUR",
        markup_bp=0,
        clock_offset=found.clock_offset,
        owner_id=found.owner_id,
    )


def cancel(partner: Partner, booking_id: str, most: int, key: str) -> Booking:
    booking = Booking.objects.get(pk=booking_id)
    return cancel_for_member(partner=partner, booking=booking, actor=SUPPORT, max_penalty_cents=most, key=key)


def clicked(partner: Partner, booking_id: str, most: int, key: str) -> str:
    """How the click ended: the booking's status, or the name of the refusal."""
    try:
        return cancel(partner, booking_id, most, key).status
    except GatewayError as refused:
        return type(refused).__name__


def test_it_costs_and_tells_what_the_apis_cancel_does(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, partner: Partner
) -> None:
    order = shop.ordered()
    total, penalty = order["totalCents"], order["conditions"]["penaltyCents"]
    booking = cancel(partner, order["id"], penalty, new_key())
    assert booking.cancellation is not None
    assert (booking.status, booking.cancellation["penaltyCents"]) == ("cancelled", penalty)
    assert (booking.cancellation["refundCents"], booking.cancellation["reason"]) == (total - penalty, REASON)
    assert funds(onboarded) == (BALANCE_CENTS - penalty, 0)
    assert sorted(events()) == ["booking.cancelled", "booking.confirmed", "payment.refunded"]
    assert (latest().key_id, latest().request_id) == ("", "")
    line = LedgerTransaction.objects.get(type="refund")
    assert (line.key_id, line.request_id, line.amount_cents) == (None, None, total - penalty)
    assert supplier.open_transactions == []
    assert violations(supplier.report()) == []
    entry = AccountAuditEntry.objects.get(action="bookings.cancelled")
    assert (entry.subject_id, entry.details["maxPenaltyCents"]) == (order["id"], penalty)
    assert (entry.account_id, entry.environment) == (onboarded.account.pk, "test")


def test_a_second_click_is_told_what_the_first_one_did(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, partner: Partner
) -> None:
    order, key = shop.ordered(), new_key()
    penalty = order["conditions"]["penaltyCents"]
    said = [clicked(partner, order["id"], penalty, key) for _ in range(3)]
    assert said == ["cancelled"] * 3
    assert clicked(partner, order["id"], penalty, new_key()) == "Conflict", "Another form is another try"
    assert (supplier.calls("cancel"), LedgerTransaction.objects.filter(type="refund").count()) == (1, 1)
    assert funds(onboarded) == (BALANCE_CENTS - penalty, 0)
    assert AccountAuditEntry.objects.filter(action="bookings.cancelled").count() == 1


def test_more_than_was_shown_cancels_nothing_and_says_what_it_costs_now(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, partner: Partner
) -> None:
    order, key = shop.ordered(), new_key()
    penalty = order["conditions"]["penaltyCents"]
    for _ in range(2):  # the second click is answered from what is stored
        with pytest.raises(Conflict) as refused:
            cancel(partner, order["id"], penalty - 1, key)
        assert refused.value.extras["penaltyCents"] == penalty
    assert (shop.read(order["id"])["status"], supplier.calls("cancel")) == ("ticketed", 0)
    assert funds(onboarded) == (BALANCE_CENTS - order["totalCents"], 0)
    with pytest.raises(IdempotencyKeyReuse):
        cancel(partner, order["id"], penalty, key)
    assert cancel(partner, order["id"], penalty, new_key()).status == "cancelled"


def test_a_refusal_of_the_supplier_leaves_the_order_and_the_key_may_be_used_again(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, partner: Partner
) -> None:
    order, key = shop.ordered(), new_key()
    penalty = order["conditions"]["penaltyCents"]
    supplier.spoil("cancel", Rejected())
    with pytest.raises(UpstreamError):
        cancel(partner, order["id"], penalty, key)
    assert funds(onboarded) == (BALANCE_CENTS - order["totalCents"], 0)
    assert cancel(partner, order["id"], penalty, key).status == "cancelled"
    assert violations(supplier.report()) == []


@pytest.mark.parametrize("accepted", [True, False])
def test_a_lost_answer_is_found_out_by_the_next_click_and_nothing_is_cancelled_twice(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, partner: Partner, accepted: bool
) -> None:
    order, key = shop.ordered(), new_key()
    penalty = order["conditions"]["penaltyCents"]
    supplier.spoil("cancel", OutcomeUnknown(), accepted=accepted)
    with pytest.raises(UpstreamUnavailable):
        cancel(partner, order["id"], penalty, key)
    assert clicked(partner, order["id"], penalty, new_key()) == "Conflict", "Nothing else may begin meanwhile"
    said = clicked(partner, order["id"], penalty, key)
    assert said == ("cancelled" if accepted else "UpstreamUnavailable")
    assert supplier.calls("cancel") == 1
    back = order["totalCents"] - penalty if accepted else 0
    assert funds(onboarded) == (BALANCE_CENTS - order["totalCents"] + back, 0)


def test_what_nobody_clicks_again_is_ended_by_the_worker(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, partner: Partner, move_clock: MoveClock
) -> None:
    order, key = shop.ordered(), new_key()
    penalty = order["conditions"]["penaltyCents"]
    supplier.spoil("cancel", OutcomeUnknown(), accepted=True)
    assert clicked(partner, order["id"], penalty, key) == "UpstreamUnavailable"
    move_clock(minutes=5)
    recover_due()
    assert shop.read(order["id"])["status"] == "cancelled"
    assert clicked(partner, order["id"], penalty, key) == "cancelled"
    assert funds(onboarded) == (BALANCE_CENTS - penalty, 0)
    assert violations(supplier.report()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("same_form", [True, False])
def test_two_clicks_at_one_instant_cancel_once(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, partner: Partner, same_form: bool
) -> None:
    for number in range(1, 6):
        order, first = shop.ordered(), new_key()
        penalty = order["conditions"]["penaltyCents"]
        keys = [first, first if same_form else new_key(), new_key()]
        before = funds(onboarded)[0]
        said = all_at_once([partial(clicked, partner, order["id"], penalty, key) for key in keys])
        assert "cancelled" in said
        assert set(said) <= {"cancelled", "Conflict", "IdempotencyKeyInProgress"}
        assert funds(onboarded) == (before + order["totalCents"] - penalty, 0)
        assert supplier.calls("cancel") == number
        assert LedgerTransaction.objects.filter(type="refund").count() == number
    assert violations(supplier.report()) == []


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("in the middle"),
        InternalError(),
        UpstreamUnavailable(),
        RateLimitExceeded(),
        AccountNotActive("The account is suspended."),
        IdempotencyKeyInProgress(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_after_what_is_no_end_the_same_click_goes_on(
    shop: FlightShop,
    supplier: ScriptedFlights,
    partner: Partner,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    order, key = shop.ordered(), new_key()

    def crash(**_: object) -> Booking:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr("apps.bookings.flow.cancel.cancel_booking", crash)
        with pytest.raises(type(error)):
            cancel(partner, order["id"], 10**9, key)
    assert clicked(partner, order["id"], 10**9, key) == "cancelled"
    assert supplier.calls("cancel") == 1
