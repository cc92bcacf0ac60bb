"""The first transaction: booking, operation and hold together or not at all."""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection

from apps.accounts.clocks import move_clock
from apps.bookings.flow import reserve
from apps.bookings.flow.reserve import ALPHABET, NewBooking, client_ref, new_reference, reserve_quoted
from apps.bookings.handlers import READ
from apps.bookings.models import Booking, Operation, OperationKind
from apps.common.errors import Conflict, GatewayError, IdempotencyKeyInProgress, OfferExpired, PaymentFailed
from apps.gateway.idempotency import Claim, claim
from apps.gateway.models import IdempotencyRecord
from apps.gateway.requests import Caller
from apps.gateway.sandbox import OFFER_EXPIRED, PAYMENT_FAILED, Trigger
from apps.keys import authentication
from apps.ledger.models import Hold
from apps.ledger.money import adjust
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected
from tests.bookings.books import funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.support.flight_shop import FlightShop
from tests.support.locks import locked
from tests.support.scripted_flights import ScriptedFlights


def test_the_lease_of_an_operation_ends_in_real_time_however_far_ahead_its_environment_is(
    onboarded: Onboarded,
) -> None:
    ahead = timedelta(days=40)
    move_clock(account_id=onboarded.account.id, by=ahead)
    caller = Caller(authentication.look_up(onboarded.test_secret), "a-command")
    reserve.reserve_booking(caller=caller, new=new_booking())
    modify(caller, a_booking(onboarded.test_key))
    operations = Operation.objects.all()
    assert len(operations) == 2
    for operation in operations:
        assert operation.lease_until == operation.created_at - ahead + timedelta(seconds=45)
        assert operation.next_attempt_at == operation.lease_until


@pytest.fixture
def caller(onboarded: Onboarded) -> Caller:
    """Whose call has an Idempotency-Key."""
    partner = authentication.look_up(onboarded.test_secret)
    claimed = claim(partner, "one-and-the-same", "of a body")
    assert isinstance(claimed, Claim)
    return Caller(partner, "req_1", claim=claimed)


def new_booking(**columns: Any) -> NewBooking:
    return NewBooking(
        **{
            "product": "flight",
            "total_cents": 1_000,
            "currency": "EUR",
            "supplier_name": "simulator",
            "external_reference": None,
            "details": {"seats": 2},
            "request": {"offer": 7},
            **columns,
        }
    )


def modify(
    caller: Caller,
    booking: Booking,
    *,
    kind: OperationKind = OperationKind.CHANGE,
    cents: int = 0,
    refuse: Callable[[Booking], None] = lambda booking: None,
) -> Operation:
    return reserve.reserve_modification(
        caller=caller, booking=booking, kind=kind, request={"why": "ill"}, amount_cents=cents, refuse=refuse
    )


def test_a_key_that_began_an_operation_begins_no_other(caller: Caller, onboarded: Onboarded) -> None:
    """Its claim still stands, and still the database refuses."""
    assert caller.claim is not None
    booking = a_booking(onboarded.test_key)
    an_operation(booking, state="confirmed", idempotency_record_id=caller.claim.record_id)
    with pytest.raises(IdempotencyKeyInProgress):
        reserve.reserve_booking(caller=caller, new=new_booking())
    with pytest.raises(IdempotencyKeyInProgress):
        modify(caller, booking)
    assert (Operation.objects.count(), funds(onboarded)) == (1, (BALANCE_CENTS, 0))


def test_one_operation_of_a_booking_is_open_at_a_time(caller: Caller, onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key)
    an_operation(booking, state="uncertain")
    with pytest.raises(Conflict) as refused:
        modify(caller, booking)
    assert refused.value.extras == {"bookingId": booking.id}
    assert refused.value.own_texts == {"Another operation on this booking is in progress."}


def test_a_modification_is_of_the_booking_as_it_is_now(caller: Caller, onboarded: Onboarded) -> None:
    a_booking(onboarded.test_key)
    booking = a_booking(onboarded.test_key, status="pending")
    Booking.objects.filter(pk=booking.pk).update(status="ticketed")
    seen: list[str] = []
    made = modify(caller, booking, refuse=lambda booking: seen.append(booking.status))
    assert (seen, made.booking.status, latest()) == (["ticketed"], "ticketed", made)
    assert (made.kind, made.request, made.amount_cents) == ("change", {"why": "ill"}, 0)


def test_a_call_whose_key_another_one_has_alters_nothing(caller: Caller, onboarded: Onboarded) -> None:
    IdempotencyRecord.objects.update(lease_token=uuid.UUID(int=7))
    with pytest.raises(IdempotencyKeyInProgress):
        modify(caller, a_booking(onboarded.test_key))
    assert not Operation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_modification_waits_for_whoever_alters_the_booking(caller: Caller, onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key)
    with locked(Booking.objects.filter(pk=booking.pk), "NO KEY UPDATE"), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        try:
            with pytest.raises(OperationalError):
                modify(caller, booking)
        finally:
            cursor.execute("SET lock_timeout = 0")
    assert modify(caller, booking).pk


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


@dataclass(frozen=True)
class Quote:
    total_cents: int = 1_000
    currency: str = "EUR"
    supplier_data: Mapping[str, str] = field(default_factory=dict)
    expires_at: datetime | None = None


@dataclass(frozen=True)
class Seats:
    seats: int = 2


@pytest.fixture
def quoting(onboarded: Onboarded) -> Caller:
    return Caller(authentication.look_up(onboarded.test_secret), "a-request")


def reserved(quoting: Caller, offer: Quote, most: int | None = None) -> Operation:
    return reserve_quoted(
        caller=quoting,
        product="flight",
        offer=offer,
        offer_entry="rate",
        supplier_name="simulator",
        details=Seats(),
        external_reference="trip-1",
        max_total_cents=most,
    )


def test_it_holds_the_quoted_price_and_keeps_what_was_quoted(onboarded: Onboarded, quoting: Caller) -> None:
    offer = Quote()
    operation = reserved(quoting, offer, most=1_000)
    stored = latest()
    booking = stored.booking
    assert (booking.product, booking.supplier_name, booking.status) == ("flight", "simulator", "pending")
    assert (booking.total_cents, booking.currency, booking.exchange) == (1_000, "EUR", None)
    assert (booking.details, booking.external_reference) == ({"seats": 2}, "trip-1")
    quoted = {"total_cents": 1_000, "currency": "EUR", "supplier_data": {}, "expires_at": None}
    assert stored.request == {"rate": quoted, "maxTotalCents": 1_000}
    assert vars(operation)[READ] == (operation.request["rate"], offer)
    assert funds(onboarded) == (BALANCE_CENTS - 1_000, 1_000)


@pytest.mark.parametrize(
    ("trigger", "refusal"), [(OFFER_EXPIRED, OfferExpired), (PAYMENT_FAILED, PaymentFailed)]
)
def test_what_the_sandbox_is_asked_to_refuse_holds_nothing(
    onboarded: Onboarded, quoting: Caller, trigger: str, refusal: type[GatewayError]
) -> None:
    with pytest.raises(refusal):
        reserved(replace(quoting, trigger=Trigger(trigger)), Quote())
    assert (Booking.objects.count(), funds(onboarded)) == (0, (BALANCE_CENTS, 0))


@pytest.mark.parametrize(
    ("product", "letter"), [("hotel", "H"), ("flight", "F"), ("transfer", "T"), ("esim", "E")]
)
def test_a_reference_says_its_product_and_is_drawn_by_chance(product: str, letter: str) -> None:
    drawn = {new_reference(product) for _ in range(100)}
    assert len(drawn) == 100
    assert [one for one in drawn if not re.fullmatch(f"{letter}-[{ALPHABET}]{{8}}", one)] == []


def test_a_booking_is_known_to_its_supplier_by_its_own_reference() -> None:
    assert client_ref("H-22222222", "book") == "H-22222222"


@pytest.mark.parametrize(("kind", "letter"), [("change", "C"), ("cancel", "X")])
def test_each_change_and_cancellation_has_one_of_its_own(kind: str, letter: str) -> None:
    drawn = {client_ref("H-22222222", kind) for _ in range(100)}
    assert len(drawn) > 90  # of 24 million
    assert [one for one in drawn if not re.fullmatch(f"H-22222222-{letter}[{ALPHABET}]{{5}}", one)] == []
