"""The ends of an operation. Requests, retries and the recovery worker use these same functions; the owner of the lease writes.

Locks are taken in one order everywhere: booking, operation, idempotency record, and last the wallet with its hold, because all
bookings of an account wait for the wallet.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from apps.accounts import clocks
from apps.bookings.flow.lease import LeaseLost, advance, resolved
from apps.bookings.flow.recovery_schedule import first_look
from apps.bookings.handlers import Accepted, MarkingHandler, Outcome, handler_for, polling_pause
from apps.bookings.models import Booking, Operation, OperationKind, OperationState, Settlement
from apps.bookings.refusals import failure_in_words, operation_in_words, refused_in_words
from apps.bookings.statements import count_events, end_together, save_change, trace_of
from apps.bookings.travellers import at_rest, with_keys
from apps.common import clock
from apps.gateway.requests import Caller
from apps.ledger.money import capture, refund, release
from apps.webhooks.events import BOOKING_REJECTED, Fact, emit_many


def confirm(operation: Operation, result: Any, *, caller: Caller | None = None) -> Booking:
    """Money, operation, booking, events and the caller's stored answer, all or nothing. Raises LeaseLost."""
    with clocks.working_for(operation.booking.account_id, operation.booking.environment):
        return _confirm(operation, result, caller)


def _confirm(operation: Operation, result: Any, caller: Caller | None) -> Booking:
    handler = handler_for(operation)
    outcome = handler.outcome(operation, result) if operation.kind == OperationKind.BOOK else None
    if outcome is not None and not outcome.moves_more:
        end(operation, outcome, caller)  # one statement is a transaction by itself
    else:
        with transaction.atomic():
            if outcome is None:
                # Its details may have changed since they were read: by a settlement, or by the supplier.
                locked = with_keys(Booking.objects.select_for_update())
                operation.booking = locked.get(pk=operation.booking_id)
                outcome = handler.outcome(operation, result)
            end(operation, outcome, caller)
            if outcome.store is not None:
                outcome.store(operation.booking)
            owe(operation, outcome)
            move_money(operation, outcome)
    operation.state = OperationState.CONFIRMED
    if caller is not None and caller.claim is not None:
        caller.claim.finished = True
    return operation.booking


def end(operation: Operation, outcome: Outcome, caller: Caller | None) -> None:
    """The end of the operation, without what `owe` and `move_money` add to it. Raises LeaseLost."""
    booking = operation.booking
    write_booking(booking, outcome)
    ended = end_together(
        booking,
        operation,
        completion=caller.completion(booking) if caller is not None else None,
        facts=booking_facts(booking, outcome.events),
        capture_cents=captured_cents(operation, outcome),
    )
    if not ended:
        raise LeaseLost


def accept(operation: Operation, accepted: Accepted, *, caller: Caller | None) -> Booking:
    """Answer the booking as pending, and return it. What the supplier delivers later is looked up like a lost answer. Raises
    LeaseLost.
    """
    booking = operation.booking
    with transaction.atomic():
        mark_uncertain(operation)
        booking.supplier_reference = accepted.supplier_reference
        save_change(booking, "supplier_reference")
        if caller is not None:
            caller.complete(booking)
    return booking


def captured_cents(operation: Operation, outcome: Outcome) -> int | None:
    """How much of the operation's own hold is captured at once; None if the hold stays, or without a hold."""
    return outcome.capture_cents if operation.hold_id else None


def move_money(operation: Operation, outcome: Outcome) -> None:
    """Move what else moves at once: what a cancellation gives back."""
    booking = operation.booking
    if outcome.release_hold_id:
        trace = trace_of(operation, operation_in_words(operation.kind, booking.reference))
        if outcome.release_keeps_cents:
            capture(hold_id=outcome.release_hold_id, amount_cents=outcome.release_keeps_cents, trace=trace)
        else:
            release(hold_id=outcome.release_hold_id, trace=trace)
        Settlement.objects.filter(hold_id=outcome.release_hold_id, settled_at=None).update(
            settled_at=booking.now()
        )
    if outcome.refund_cents:
        refund(
            account_id=booking.account_id,
            environment=booking.environment,
            amount_cents=outcome.refund_cents,
            currency=booking.currency,
            reference=operation.client_ref,
            trace=trace_of(operation, f"Refund for {booking.reference}"),
        )


def write_booking(booking: Booking, outcome: Outcome) -> None:
    """Set the booking as the partner sees it from now on."""
    booking.status = outcome.status
    booking.total_cents = outcome.total_cents
    booking.supplier_reference = outcome.supplier_reference
    booking.details = dict(outcome.details)
    if outcome.remember is not None:
        outcome.remember(booking)
    if outcome.cancellation is not None:
        booking.cancellation = dict(outcome.cancellation)
    now = booking.now()
    booking.updated_at = now
    booking.watched_until = outcome.watched_until
    booking.next_news_at = next_look(booking, now)


def next_look(booking: Booking, now: datetime, ahead: timedelta | None = None) -> datetime | None:
    """When to poll the supplier of a standing booking next, in real time; never again once the journey is over. `now` is the time
    in the booking's environment, and `ahead` how far its clock is ahead, where that was looked up.
    """
    if booking.pay_by is None and (booking.watched_until is None or booking.watched_until <= now):
        return None
    if ahead is None:
        ahead = clocks.place_of(booking.account_id, booking.environment).clock_offset
    return now - ahead + polling_pause(booking, now)


def poll_soon(booking: Booking) -> None:
    """Make the booking due to be polled now: its supplier is known to have changed something by itself."""
    now = clock.now()
    Booking.objects.filter(pk=booking.pk, next_news_at__gt=now).update(next_news_at=now)


def owe(operation: Operation, outcome: Outcome) -> None:
    """Leave to the reconciliation worker the money that is to move later."""
    if outcome.credit_later_cents or outcome.capture_later:
        Settlement.objects.create(
            operation=operation,
            booking=operation.booking,
            action="capture" if outcome.capture_later else "credit",
            amount_cents=outcome.total_cents if outcome.capture_later else outcome.credit_later_cents,
            hold_id=operation.hold_id if outcome.capture_later else "",
            created_at=operation.booking.now(),
        )


def emit_events(booking: Booking, request_id: str, facts: tuple[Fact, ...]) -> None:
    """Store the events of facts that no operation ended with."""
    if facts:
        emit_many(
            account_id=booking.account_id,
            environment=booking.environment,
            facts=booking_facts(booking, facts),
            booking_id=booking.id,
            booking_reference=booking.reference,
            counted=count_events(booking, len(facts)),
            request_id=request_id,
        )


def booking_facts(booking: Booking, facts: tuple[Fact, ...]) -> list[Fact]:
    """The facts with the fields that every booking event has (contract §3, Webhooks)."""
    common = {
        "bookingType": booking.product,
        "bookingId": booking.id,
        "bookingReference": booking.reference,
        "externalReference": booking.external_reference,
    }
    return [Fact(fact.type, {**common, **fact.data}) for fact in facts]


def fail(operation: Operation, *, failure: str, answered: bool = False) -> None:
    """Certainly nothing happened at the supplier: release the hold, and fail a booking that was never made; one that was not
    paid is on hold again. Raises LeaseLost.

    `answered`: a request waits and gets this very refusal. Of a booking whose request was answered
    otherwise, `pending` or 503, the partner gets an event.
    """
    booking = operation.booking
    with clocks.working_for(booking.account_id, booking.environment), transaction.atomic():
        if operation.kind == OperationKind.CHANGE:
            unmark(operation)
        advance(operation, to=OperationState.FAILED, **resolved(operation, failure=failure))
        if operation.kind == OperationKind.PAY:
            # Why it was not paid, and whether it still can be, its supplier knows.
            booking.status, booking.next_news_at = Booking.ON_HOLD, clock.now()
            save_change(booking, "status", "next_news_at")
        if operation.kind == OperationKind.BOOK:
            booking.status = Booking.FAILED
            save_change(booking, "status")
            if not answered:
                emit_events(booking, operation.request_id, (rejected_event(operation, failure),))
        if operation.hold_id:
            words = refused_in_words(operation.kind, booking.reference, failure)
            release(hold_id=operation.hold_id, trace=trace_of(operation, words))


def unmark(operation: Operation) -> None:
    """The booking no longer says that the operation is under way, where its kind lets it say so."""
    handler = handler_for(operation)
    if isinstance(handler, MarkingHandler):
        stored = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=operation.booking_id)
        stored.details = dict(at_rest(stored, handler.unmarked(stored)))
        save_change(stored, "details")


def rejected_event(operation: Operation, failure: str) -> Fact:
    """That a booking whose end was open turned out not to exist."""
    return Fact(
        BOOKING_REJECTED,
        {
            "reason": failure_in_words(failure),
            "releasedCents": operation.amount_cents,
            "currency": operation.booking.currency,
        },
    )


def mark_uncertain(operation: Operation) -> None:
    """The supplier may have done it. The hold stays, the lease ends at once, and the first look-up is soon. Raises LeaseLost."""
    now = clock.now()
    advance(
        operation, to=OperationState.UNCERTAIN, lease_until=now, next_attempt_at=first_look(operation, now)
    )
