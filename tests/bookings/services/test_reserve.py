"""The first transaction: booking, operation and hold together or not at all."""

import dataclasses
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection

from apps.accounts.services.move_clock import move_clock
from apps.bookings.flow import reserve
from apps.bookings.flow.reserve import NewBooking
from apps.bookings.models import Booking, Operation, OperationKind
from apps.common import clock
from apps.common.errors import Conflict, IdempotencyKeyInProgress
from apps.gateway.idempotency import Claim, claim
from apps.gateway.models import IdempotencyRecord
from apps.gateway.requests import Caller
from apps.keys import authentication
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.books import funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.factories.keys import issued_key
from tests.support.flight_shop import FlightShop
from tests.support.locks import locked
from tests.support.scripted_flights import ScriptedFlights


@pytest.mark.django_db(transaction=True)
def test_an_insert_that_refers_to_the_booking_holds_up_no_cancellation(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded
) -> None:
    booking = Booking.objects.get(pk=shop.ordered()["id"])
    caller = Caller(authentication.look_up(onboarded.test_secret), "a-command")
    with locked(Booking.objects.filter(pk=booking.pk), "KEY SHARE"):
        operation = reserve.reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.CANCEL,
            request={},
            amount_cents=0,
            refuse=lambda booking: None,
        )
    assert (latest().pk, operation.hold_id, operation.booking) == (operation.pk, "", booking)


def test_a_booking_needs_no_idempotency_key(shop: FlightShop, onboarded: Onboarded) -> None:
    """As a command makes it: nobody could have claimed anything."""
    caller = Caller(authentication.look_up(onboarded.test_secret), "a-command")
    new = NewBooking(
        product="flight",
        total_cents=1_000,
        currency="EUR",
        supplier_name="simulator",
        external_reference=None,
        details={},
    )
    operation = reserve.reserve_booking(caller=caller, new=new)
    assert (latest().pk, latest().idempotency_record_id, latest().request_id) == (
        operation.pk,
        None,
        "a-command",
    )
    assert (latest().booking.total_cents, hold_of(operation).reference) == (1_000, operation.client_ref)
    assert funds(onboarded) == (BALANCE_CENTS - 1_000, 1_000)


def test_a_booking_is_made_at_the_time_of_its_environment(onboarded: Onboarded) -> None:
    ahead = timedelta(days=40)
    move_clock(account_id=onboarded.account.id, by=ahead)
    caller = Caller(authentication.look_up(onboarded.test_secret), "a-command")
    before = clock.now() + ahead
    reserve.reserve_booking(caller=caller, new=new_booking())
    stored = latest()
    assert before <= stored.booking.created_at <= clock.now() + ahead
    assert stored.booking.updated_at == stored.booking.created_at
    assert before <= stored.created_at <= clock.now() + ahead
    changed = modify(caller, a_booking(onboarded.test_key))
    changed.refresh_from_db()
    assert before <= changed.created_at <= clock.now() + ahead


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


def test_a_booking_begins_as_it_was_asked_for(caller: Caller, onboarded: Onboarded) -> None:
    rate = {"base": "USD", "quote": "EUR", "rate": "0.9", "asOf": "2026-11-20"}
    made = reserve.reserve_booking(caller=caller, new=new_booking(exchange=rate, external_reference="PO-1"))
    operation, booking = latest(), latest().booking
    assert (operation, operation.booking) == (made, made.booking)
    assert (booking.account_id, booking.environment) == (onboarded.account.id, "test")
    assert (booking.product, booking.status, booking.currency) == ("flight", "pending", "EUR")
    assert (booking.supplier_name, booking.external_reference) == ("simulator", "PO-1")
    assert (booking.total_cents, booking.exchange, booking.details) == (1_000, rate, {"seats": 2})
    assert booking.created_at == booking.updated_at
    assert (booking.request_id, booking.key_id) == ("req_1", onboarded.test_key.id)
    assert booking.reference.startswith("F-")
    assert booking.id.startswith("ford_")


def test_the_booking_in_hand_is_as_it_was_stored(onboarded: Onboarded) -> None:
    def columns(booking: Booking) -> dict[str, object]:
        return {field.attname: getattr(booking, field.attname) for field in Booking._meta.concrete_fields}

    move_clock(account_id=onboarded.account.id, by=timedelta(days=40))
    caller = Caller(authentication.look_up(onboarded.test_secret), "req_1")
    made = reserve.reserve_booking(caller=caller, new=new_booking(external_reference="PO-1"))
    assert columns(made.booking) == columns(latest().booking)


def test_an_id_says_what_was_booked_where_it_is_not_just_the_product(caller: Caller) -> None:
    made = reserve.reserve_booking(caller=caller, new=new_booking(product="esim", id_prefix="etop"))
    assert made.booking_id.startswith("etop_")


def test_an_operation_begins_under_a_whole_lease_of_the_call_that_made_it(
    caller: Caller, onboarded: Onboarded
) -> None:
    reserve.reserve_booking(caller=caller, new=new_booking())
    operation = latest()
    assert operation.lease_until - operation.created_at == timedelta(seconds=45)
    assert operation.next_attempt_at == operation.lease_until
    assert (operation.state, operation.kind, operation.request) == ("held", "book", {"offer": 7})
    assert operation.idempotency_record_id == (caller.claim and caller.claim.record_id)
    assert (operation.request_id, operation.key_id) == ("req_1", onboarded.test_key.id)


@pytest.mark.parametrize("cents", [0, 1])
def test_every_booking_has_a_hold_and_a_change_where_it_costs(
    caller: Caller, onboarded: Onboarded, cents: int
) -> None:
    made = reserve.reserve_booking(caller=caller, new=new_booking(total_cents=cents))
    assert made.hold_id
    assert (hold_of(made).amount_cents, hold_of(made).status) == (cents, "open")
    changed = modify(dataclasses.replace(caller, claim=None), a_booking(onboarded.test_key), cents=cents)
    assert bool(changed.hold_id) == bool(cents)
    assert funds(onboarded) == (BALANCE_CENTS - 2 * cents, 2 * cents)
    assert not cents or hold_of(changed).reference == changed.client_ref


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


def test_what_else_the_database_refuses_is_a_fault_of_ours(
    caller: Caller, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking = a_booking(onboarded.test_key)
    taken = an_operation(a_booking(onboarded.test_key), state="confirmed").client_ref
    with pytest.raises(IntegrityError, match="booking_total_not_negative"):
        reserve.reserve_booking(caller=caller, new=new_booking(total_cents=-1))
    monkeypatch.setattr(reserve, "client_ref", lambda *names: taken)
    with pytest.raises(IntegrityError, match="client_ref"):
        modify(caller, booking)


def test_one_operation_of_a_booking_is_open_at_a_time(caller: Caller, onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key)
    an_operation(booking, state="uncertain")
    with pytest.raises(Conflict) as refused:
        modify(caller, booking)
    assert refused.value.extras == {"bookingId": booking.id}
    assert refused.value.own_texts == {"Another operation on this booking is under way."}


def test_a_taken_external_reference_is_told_in_words_that_may_be_kept(caller: Caller) -> None:
    first = reserve.reserve_booking(
        caller=dataclasses.replace(caller, claim=None), new=new_booking(external_reference="PO-1")
    )
    with pytest.raises(Conflict) as refused:
        reserve.reserve_booking(caller=caller, new=new_booking(external_reference="PO-1"))
    assert refused.value.extras == {"bookingId": first.booking_id}
    assert refused.value.own_texts == {"This externalReference already belongs to a booking."}


def test_a_reference_is_held_by_a_booking_of_the_same_account_environment_and_product(
    onboarded: Onboarded,
) -> None:
    key, _ = issued_key()
    named: dict[str, Any] = {"external_reference": "PO-1", "account_id": onboarded.account.id}
    a_booking(key, **{**named, "account_id": key.account_id})
    a_booking(key, **named, environment="live")
    a_booking(key, **named, product="hotel")
    a_booking(key, **named, status="failed")
    a_booking(key, **{**named, "external_reference": "PO-2"})
    asked = Booking(**named, environment="test", product="flight")
    assert reserve._holder_of_reference(asked) is None
    holder = a_booking(key, **named)
    assert reserve._holder_of_reference(asked) == holder.id


def test_a_modification_is_of_the_booking_as_it_is_now(caller: Caller, onboarded: Onboarded) -> None:
    a_booking(onboarded.test_key)
    booking = a_booking(onboarded.test_key, status="pending")
    Booking.objects.filter(pk=booking.pk).update(status="ticketed")
    seen: list[str] = []
    made = modify(caller, booking, refuse=lambda booking: seen.append(booking.status))
    assert (seen, made.booking.status, latest()) == (["ticketed"], "ticketed", made)
    assert (made.kind, made.request, made.amount_cents) == ("change", {"why": "ill"}, 0)


def test_a_modification_is_of_the_call_that_asks_for_it_whoever_booked(
    caller: Caller, onboarded: Onboarded
) -> None:
    key, _ = issued_key(account=onboarded.account)
    made = modify(caller, a_booking(key, request_id="req_7"))
    assert (made.key_id, made.request_id) == (onboarded.test_key.id, "req_1")
    assert made.key_id != key.id


def test_what_is_refused_under_the_lock_leaves_no_operation(caller: Caller, onboarded: Onboarded) -> None:
    def refuse(booking: Booking) -> None:
        raise Conflict("It is over.")

    with pytest.raises(Conflict, match="It is over"):
        modify(caller, a_booking(onboarded.test_key), refuse=refuse)
    assert not Operation.objects.exists()


def test_a_call_whose_key_another_one_has_alters_nothing(caller: Caller, onboarded: Onboarded) -> None:
    IdempotencyRecord.objects.update(lease_token=uuid.UUID(int=7))
    with pytest.raises(IdempotencyKeyInProgress):
        modify(caller, a_booking(onboarded.test_key))
    assert not Operation.objects.exists()


def test_a_suppliers_own_cancellation_belongs_to_the_call_that_booked(onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key, request_id="req_7")
    made = reserve.reserve_supplier_cancellation(booking, reason="Cancelled by the supplier.")
    operation = latest()
    assert (operation, operation.kind, operation.state) == (made, "cancel", "held")
    assert operation.request == {"reason": "Cancelled by the supplier."}
    assert (operation.amount_cents, operation.hold_id) == (0, "")
    assert (operation.idempotency_record_id, operation.request_id) == (None, "req_7")
    assert operation.key_id == onboarded.test_key.id


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
