"""A member's click cancels as the API does: the same money, the same events, and never twice."""

from collections.abc import Callable
from functools import partial

import pytest

from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry
from apps.bookings.flow.cancel import REASON, cancel_for_member, new_key
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
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
from apps.gateway.models import IdempotencyRecord
from apps.keys import authentication
from apps.keys.partner import Partner
from apps.ledger.models import LedgerTransaction
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected
from tests.bookings.books import events, funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.contract.goods import Goods
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db
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


def test_its_key_says_which_operation_it_was_for(shop: FlightShop, partner: Partner) -> None:
    order, key = shop.ordered(), new_key()
    cancel(partner, order["id"], 10**9, key)
    assert IdempotencyRecord.objects.get(key=key).operation == "cancelFlightOrder"


def test_a_second_click_is_told_of_its_own_booking(shop: FlightShop, partner: Partner) -> None:
    order, _, key = shop.ordered(), shop.ordered(), new_key()
    penalty = order["conditions"]["penaltyCents"]
    said = [cancel(partner, order["id"], penalty, key) for _ in range(2)]
    assert [booking.pk for booking in said] == [order["id"]] * 2


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


@pytest.mark.parametrize("status", ["read-only", "suspended"])
def test_an_account_that_may_not_book_may_not_cancel(
    shop: FlightShop, supplier: ScriptedFlights, partner: Partner, status: str
) -> None:
    order = shop.ordered()
    with pytest.raises(AccountNotActive, match=f"The account is {status}"):
        cancel(without_key(partner, status), order["id"], 10**9, new_key())
    assert (Operation.objects.count(), supplier.calls("quote_cancellation")) == (1, 0)
    assert AccountAuditEntry.objects.filter(action="bookings.cancelled").count() == 0


def test_an_esim_and_what_does_not_stand_are_refused(api: Api, partner: Partner) -> None:
    esim = Goods(api).esim_order
    with pytest.raises(Conflict, match="cannot be cancelled by a call"):
        cancel(partner, esim["id"], 10**9, new_key())
    Booking.objects.update(status="failed")
    with pytest.raises(Conflict, match="The booking is failed"):
        cancel(partner, esim["id"], 10**9, new_key())
    assert Operation.objects.filter(kind="cancel").count() == 0


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
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    partner: Partner,
    move_clock: MoveClock,
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


def test_a_click_beside_the_apis_cancel_is_refused_while_that_is_under_way(
    shop: FlightShop, supplier: ScriptedFlights, partner: Partner
) -> None:
    order, said = shop.ordered(), list[str]()
    supplier.meanwhile("cancel", lambda: said.append(clicked(partner, order["id"], 10**9, new_key())))
    assert shop.cancel(order["id"]).status == 200
    assert (said, supplier.calls("cancel")) == (["Conflict"], 1)


def test_the_same_click_while_the_first_is_under_way_is_told_so(
    shop: FlightShop, supplier: ScriptedFlights, partner: Partner
) -> None:
    order, key, said = shop.ordered(), new_key(), list[str]()
    penalty = order["conditions"]["penaltyCents"]
    supplier.meanwhile("cancel", lambda: said.append(clicked(partner, order["id"], penalty, key)))
    assert clicked(partner, order["id"], penalty, key) == "cancelled"
    assert said == [IdempotencyKeyInProgress.__name__]


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
