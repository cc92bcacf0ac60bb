"""Begins an operation: the booking row, the operation and the hold, all or nothing, before any supplier is asked.

A booking's reference for people is a letter for the product and eight characters that cannot be misread, `H-7KQ2M9XD`.
"""

import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q

from apps.accounts import clocks
from apps.bookings.flow.settle import emit_events
from apps.bookings.handlers import remember_offer
from apps.bookings.models import OPEN_STATES, Booking, Operation, OperationKind, OperationState, Product
from apps.bookings.refusals import operation_in_words, refuse_above
from apps.bookings.statements import insert_booking_with_hold, save_change, trace_of
from apps.bookings.travellers import at_rest, with_keys
from apps.common import clock, sql, tracing
from apps.common.clock import rfc3339
from apps.common.errors import Conflict, IdempotencyKeyInProgress
from apps.common.ids import new_id
from apps.common.sql import savepoint
from apps.gateway.requests import Caller
from apps.ledger.models import new_hold_id
from apps.ledger.money import ApprovalNeeded, NoApprovalNeeded, again, hold
from apps.ledger.statements import OVERDRAWN, OVERSPENT, REPEATED
from apps.suppliers.currency import kept_with
from apps.suppliers.values import to_json
from apps.webhooks.events import BOOKING_APPROVAL_REQUESTED, Fact

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without 0 O, 1 I L, U (V)
LETTERS = {Product.HOTEL: "H", Product.FLIGHT: "F", Product.TRANSFER: "T", Product.ESIM: "E"}
SUFFIXES = {
    OperationKind.CHANGE: "C",
    OperationKind.CANCEL: "X",
    OperationKind.ACCEPT: "A",
    OperationKind.SERVICES: "S",
    OperationKind.PAY: "P",
    OperationKind.CORRECT: "N",
    OperationKind.REFUND: "R",
}
ID_PREFIXES = {"hotel": "hbk", "flight": "ford", "transfer": "tord", "esim": "eord"}
# Constraints after whose violation the booking is tried again. References are random: among a million bookings, two are likely
# to get the same one. And where other bookings were quicker to hold the funds, or to use up a limit of the key, the next
# attempt sees what is left.
TRY_AGAIN = (
    "bookings_booking_reference_key",
    "bookings_operation_client_ref_key",
    REPEATED,
    OVERDRAWN,
    OVERSPENT,
)


def new_reference(product: str) -> str:
    """A new random reference. There are about 6 × 10^11 for each product."""
    return f"{LETTERS[Product(product)]}-{_random(8)}"


def client_ref(reference: str, kind: str) -> str:
    """Our reference as the supplier gets it: the booking's own, with a suffix for each change and cancellation."""
    if kind == OperationKind.BOOK:
        return reference
    return f"{reference}-{SUFFIXES[OperationKind(kind)]}{_random(5)}"


def _random(length: int) -> str:
    number, letters = secrets.randbelow(len(ALPHABET) ** length), []
    for _ in range(length):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBooking:
    """A booking that is about to be made. `total_cents` is the quoted price, and the amount that is held."""

    product: str
    total_cents: int
    currency: str
    supplier_name: str
    external_reference: str | None
    details: Mapping[str, Any]
    request: Mapping[str, Any] = field(default_factory=dict)
    sold_for_cents: int | None = None
    """What the partner's customer pays."""
    exchange: Mapping[str, str] | None = None
    """The rate that the total was converted at, where the supplier charges in another currency."""
    id_prefix: str = ""
    """Of its id, where that is not its product's."""
    trip_reference: str | None = None
    """Shared by the bookings of a trip."""
    on_hold: bool = False
    """It is to be paid later: the funds must cover it, and none are held."""
    approval_until: datetime | None = None
    """Until when it could be approved, above the amount from which the key needs that. None: it cannot await approval."""


def reserve_booking(*, caller: Caller, new: NewBooking, awaits: bool = False) -> Operation:
    """A pending booking with its funds held. The caller's process owns its operation, unless it awaits approval
    (`OperationState.AWAITING`): then no process does, and the caller's answer is stored.

    Raises InsufficientFunds, SpendLimitExceeded (ApprovalNeeded for what cannot await it), AccountNotActive, and Conflict: with
    `bookingId` when a live booking has the externalReference, and for one on hold above the limit of unpaid ones.
    """
    partner = caller.partner
    now = clock.now(partner)
    booking = Booking(
        id=new_id(new.id_prefix or ID_PREFIXES[new.product]),
        product=new.product,
        account_id=partner.account_id,
        environment=partner.environment,
        key_id=partner.key_id,
        reference=new_reference(new.product),
        external_reference=new.external_reference,
        trip_reference=new.trip_reference,
        total_cents=new.total_cents,
        currency=new.currency,
        sold_for_cents=new.sold_for_cents,
        supplier_name=new.supplier_name,
        exchange=dict(new.exchange) if new.exchange is not None else None,
        details=dict(new.details),
        request_id=caller.request_id,
        created_at=now,
        updated_at=now,
    )
    try:
        held_cents = 0 if new.on_hold else new.total_cents
        operation = _operation(
            caller, booking, OperationKind.BOOK, new.request, held_cents, holds=not new.on_hold
        )
        if awaits:
            await_approval(operation, new.approval_until)
            with transaction.atomic():
                insert_booking_with_hold(booking, operation, caller.claim)
                request_approval(operation, caller)
            return operation
        with one_hold_at_a_time(booking) if new.on_hold else savepoint():
            insert_booking_with_hold(booking, operation, caller.claim)
        return operation
    except ApprovalNeeded:
        if new.approval_until is None or new.approval_until <= now:
            raise
        return reserve_booking(caller=caller, new=new, awaits=True)
    except NoApprovalNeeded:  # the limit was raised meanwhile
        return reserve_booking(caller=caller, new=new)
    except IntegrityError as error:
        refuse_second_of_key(error)
        if any(constraint in str(error) for constraint in TRY_AGAIN):
            return reserve_booking(caller=caller, new=new, awaits=awaits)
        if "booking_external_reference_once" not in str(error):
            raise
    holder = _holder_of_reference(booking)
    if holder is None:  # it failed meanwhile, which freed the externalReference
        return reserve_booking(caller=caller, new=new)
    raise Conflict("This externalReference already belongs to a booking.", ours=True, bookingId=holder)


def await_approval(operation: Operation, until: datetime | None) -> None:
    """Begin `operation` as one that awaits approval until then, in the time of its environment. It has no lease, and it is due
    once its time is over.
    """
    assert until is not None
    booking = operation.booking
    ahead = clocks.place_of(booking.account_id, booking.environment).clock_offset
    operation.state = OperationState.AWAITING
    operation.approval_expires_at = booking.approval_expires_at = until
    operation.lease_until = operation.created_at - ahead
    operation.next_attempt_at = until - ahead
    booking.status = Booking.AWAITING_APPROVAL


def request_approval(operation: Operation, caller: Caller) -> None:
    """The event, and the caller's answer: in the transaction that holds the funds."""
    booking, until = operation.booking, operation.approval_expires_at
    assert until is not None
    data = {
        "operation": operation.kind,
        "approvalExpiresAt": rfc3339(until),
        "totalCents": operation.amount_cents,
        "currency": booking.currency,
    }
    emit_events(booking, operation.request_id, (Fact(BOOKING_APPROVAL_REQUESTED, data),))
    caller.complete(booking)


@contextmanager
def one_hold_at_a_time(booking: Booking) -> Iterator[None]:
    """A transaction in which no other booking of the account and environment is put on hold. Raises Conflict (409) where as many
    are unpaid as may be.

    The lock is an advisory one, because all bookings wait for the wallet's: it is taken before any row, and by holds alone.
    """
    with transaction.atomic():
        sql.one_row(
            "SELECT pg_advisory_xact_lock(hashtext('holds'), hashtext(%s))",
            [f"{booking.account_id} {booking.environment}"],
        )
        if unpaid_holds(booking) >= settings.MOST_UNPAID_HOLDS:
            raise Conflict(
                f"{settings.MOST_UNPAID_HOLDS} orders are on hold and unpaid; pay or cancel one of them first.",
                ours=True,
            )
        yield


def unpaid_holds(booking: Booking) -> int:
    """How many bookings of this one's account, environment and product are on hold, or may be: what is on its way to it, and
    what is being paid. One statement counts both: between two, a booking could pass from one to the other uncounted.
    """
    begun = Operation.objects.filter(
        Q(kind=OperationKind.PAY) | Q(kind=OperationKind.BOOK, request__hold=True),
        booking=OuterRef("pk"),
        state__in=OPEN_STATES,
    )
    return Booking.objects.filter(
        Q(status=Booking.ON_HOLD) | Q(Exists(begun), status__in=[Booking.PENDING, Booking.AWAITING_APPROVAL]),
        account_id=booking.account_id,
        environment=booking.environment,
        product=booking.product,
    ).count()


def reserve_modification(
    *,
    caller: Caller,
    booking: Booking,
    kind: OperationKind,
    request: Mapping[str, Any],
    amount_cents: int,
    refuse: Callable[[Booking], None],
    status: str = "",
    mark: Callable[[Booking], Mapping[str, Any]] | None = None,
    approval_until: Callable[[Booking], datetime | None] | None = None,
    awaits: bool = False,
) -> Operation:
    """A change or cancellation of a booking, with the funds held that it may cost. Raises Conflict while another one is under
    way.

    `refuse` gets the booking as it is once it is locked, and raises where it cannot be altered: it may have been cancelled since
    it was read. `status` is the booking's meanwhile, where it is to have another; `mark` returns its details, where these are to
    say that the operation is under way (`MarkingHandler`). `approval_until` returns until when the booking's operation could be
    approved, above the amount from which the key needs that; without it, such an operation is refused (ApprovalNeeded). One that
    `awaits` approval has its answer stored.
    """
    operation = _operation(caller, booking, kind, request, amount_cents)
    try_again = partial(
        reserve_modification,
        caller=caller,
        booking=booking,
        kind=kind,
        request=request,
        amount_cents=amount_cents,
        refuse=refuse,
        status=status,
        mark=mark,
        approval_until=approval_until,
    )
    try:
        with transaction.atomic():
            operation.booking = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=booking.pk)
            if caller.claim is not None:
                caller.claim.refuse_if_taken_over()
            refuse(operation.booking)
            if awaits and approval_until is not None:
                await_approval(operation, approval_until(operation.booking))
            _write_modification(operation, status, mark)
            if awaits:
                request_approval(operation, caller)
            _hold_funds(operation)
        return operation
    except ApprovalNeeded:
        if approval_until is None:
            raise
        return try_again(awaits=True)
    except NoApprovalNeeded:  # the limit was raised meanwhile
        return try_again()
    except IntegrityError as error:
        refuse_second_of_key(error)
        if again(error):
            return try_again(awaits=awaits)
        if "operation_one_open_per_booking" not in str(error):
            raise
        raise Conflict(
            "Another operation on this booking is in progress.", ours=True, bookingId=booking.id
        ) from error


def _write_modification(
    operation: Operation, status: str, mark: Callable[[Booking], Mapping[str, Any]] | None
) -> None:
    """The operation, and what its locked booking says meanwhile."""
    booking = operation.booking
    operation.save(force_insert=True)
    if operation.state == OperationState.AWAITING:
        save_change(booking, "status", "approval_expires_at")
    elif status:
        booking.status = status
        save_change(booking, "status")
    if mark is not None:
        booking.details = dict(at_rest(booking, mark(booking)))
        save_change(booking, "details")


def reserve_supplier_cancellation(booking: Booking, *, reason: str) -> Operation:
    """The operation for a cancellation that the supplier made by itself; it belongs to no request. Raises IntegrityError while
    another operation on the booking is under way. Call it inside a transaction that holds the booking's lock.
    """
    operation = _operation(None, booking, OperationKind.CANCEL, {"reason": reason}, 0)
    operation.save(force_insert=True)
    return operation


def refuse_second_of_key(error: IntegrityError) -> None:
    """Raises IdempotencyKeyInProgress (409) for a call that lost its claim on the Idempotency-Key: the call that took over has
    begun the operation.
    """
    if "operation_one_live_per_key" in str(error):
        raise IdempotencyKeyInProgress from error


def _operation(
    caller: Caller | None,
    booking: Booking,
    kind: str,
    request: Mapping[str, Any],
    amount_cents: int,
    *,
    holds: bool | None = None,
) -> Operation:
    """`holds`: whether it is to have a hold. Left out: where it costs something."""
    now = booking.created_at if kind == OperationKind.BOOK else booking.now()
    ahead = clocks.place_of(booking.account_id, booking.environment).clock_offset
    lease_until = now - ahead + timedelta(seconds=settings.OPERATION_LEASE_SECONDS)
    return Operation(
        booking=booking,
        kind=kind,
        client_ref=client_ref(booking.reference, kind),
        idempotency_record_id=caller.claim.record_id if caller and caller.claim else None,
        request=dict(request),
        amount_cents=amount_cents,
        hold_id=new_hold_id() if (amount_cents > 0 if holds is None else holds) else "",
        lease_token=uuid.uuid4(),
        lease_until=lease_until,
        next_attempt_at=lease_until,
        key_id=caller.partner.key_id if caller else booking.key_id,
        request_id=caller.request_id if caller else booking.request_id,
        trace_context=tracing.stored(),
        created_at=now,
    )


def _hold_funds(operation: Operation) -> None:
    """Last in its transaction, because all bookings of an account wait for the lock on its wallet."""
    booking = operation.booking
    if operation.hold_id:
        hold(
            hold_id=operation.hold_id,
            account_id=booking.account_id,
            environment=booking.environment,
            amount_cents=operation.amount_cents,
            currency=booking.currency,
            reference=operation.client_ref,
            awaits=operation.state == OperationState.AWAITING,
            trace=trace_of(operation, operation_in_words(operation.kind, booking.reference)),
        )


def _holder_of_reference(booking: Booking) -> str | None:
    """The id of the live booking that has this one's externalReference."""
    return (
        Booking.objects.filter(
            account_id=booking.account_id,
            environment=booking.environment,
            product=booking.product,
            external_reference=booking.external_reference,
        )
        .exclude(status=Booking.FAILED)
        .values_list("id", flat=True)
        .first()
    )


class Quoted(Protocol):
    """What a search quoted; the total is in minor units. From `expires_at` on it can be booked no more."""

    @property
    def total_cents(self) -> int: ...

    @property
    def currency(self) -> str: ...

    @property
    def supplier_data(self) -> Mapping[str, str]: ...

    @property
    def expires_at(self) -> datetime | None: ...


TO_APPROVE = timedelta(minutes=30)
"""So long a quoted booking can be approved at least: the supplier is asked for its price again before it is booked."""


def reserve_quoted(
    *,
    caller: Caller,
    product: str,
    offer: Quoted,
    offer_entry: str = "offer",
    supplier_name: str,
    details: object,
    external_reference: str | None,
    max_total_cents: int | None,
    sold_for_cents: int | None = None,
    extra_cents: int = 0,
    extras: Mapping[str, Any] | None = None,
    on_hold: bool = False,
    trip_reference: str | None = None,
) -> Operation:
    """A pending booking at the quoted price. `offer_entry` is the handler's (`QuotedBookHandler`). `extras` are further entries
    of the operation's request, for what is booked beside the offer and costs `extra_cents`.

    Raises the sandbox trigger's refusal, PriceChanged where the partner allows less, and what `reserve_booking` raises.
    """
    total, currency = offer.total_cents + extra_cents, offer.currency
    caller.trigger.refuse_handle()
    caller.trigger.refuse_payment(total_cents=total, currency=currency)
    refuse_above(max_total_cents, quoted_cents=total, currency=currency)
    new = NewBooking(
        product=product,
        total_cents=total,
        currency=currency,
        sold_for_cents=sold_for_cents,
        supplier_name=supplier_name,
        exchange=kept_with(offer.supplier_data),
        external_reference=external_reference,
        trip_reference=trip_reference,
        details=to_json(details),
        request={
            offer_entry: to_json(offer),
            "maxTotalCents": max_total_cents,
            **({"hold": True} if on_hold else {}),
            **(extras or {}),
        },
        on_hold=on_hold,
        approval_until=max(filter(None, (offer.expires_at, clock.now(caller.partner) + TO_APPROVE))),
    )
    operation = reserve_booking(caller=caller, new=new)
    remember_offer(operation, offer_entry, offer)
    return operation
