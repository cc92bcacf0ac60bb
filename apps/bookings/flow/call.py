"""Carries an operation out: ask the price, mark the call, call the supplier, write the result.

No database transaction is open during a supplier call. After a certain refusal the hold is released before the answer.
Otherwise the hold stays, and the recovery worker (`recover`) or the partner's own retry (`claim`) finds out what happened.

A supplier may take two minutes to book, and a partner's request waits `SUPPLIER_CALL_SECONDS`. The call of a real supplier runs
in a thread of its own. If it ends in time, the request writes the result. If not, the request gets 503 and its
Idempotency-Key is free again; the thread continues, owns the operation (its lease is renewed while this process lives) and
writes the result itself. A retry with the same key meanwhile gets 409, in progress. If the process dies, or is frozen for
longer than the lease, recovery takes over and asks the supplier, as after any lost answer. The threads are not daemons: a
process that has to stop waits for them, as long as its supervisor lets it.
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from django.conf import settings
from django.db import DataError, IntegrityError, connections, transaction

from apps.bookings.flow.lease import LeaseKeeper, LeaseLost, mark_calling, seconds_to_ask
from apps.bookings.flow.recovery_schedule import DONE_ONCE
from apps.bookings.flow.settle import accept, confirm, fail, mark_uncertain, poll_soon
from apps.bookings.handlers import Accepted, dear_penalty, handler_for, lookups_of
from apps.bookings.models import Booking, Operation, OperationKind, OperationState, Product
from apps.bookings.refusals import as_refusal, failure_named
from apps.bookings.statements import trace_of
from apps.common import clock, errors, logs, tracing
from apps.gateway.requests import Caller
from apps.ledger.money import HoldResolved, again, raise_hold
from apps.suppliers import errors as supplier
from apps.suppliers.http import all_within
from apps.suppliers.registry import refuse_inside_transaction

logger = logging.getLogger(__name__)

Ending = Callable[[], Any]
"""Returns what the supplier answered, or raises what the call ended in."""

THREADS = 32
"""In a process, over all suppliers. Each has a socket, a thread that keeps its lease, and at its end a database connection."""
_places = threading.BoundedSemaphore(THREADS)

NO_LONGER_SOLD = "The supplier no longer sells this plan; choose another one from the catalogue."


def perform(operation: Operation, *, caller: Caller, answered: bool = True) -> Booking:
    """Carry out an operation that holds its funds and was not called yet; the booking as it then stands. `answered`: the request
    that began it waits for this.

    Raises what the supplier's answer means (502, 503, 409, 410), or 402 when a higher price that `maxTotalCents` allows is not
    covered.
    """
    tracing.note(booking_id=operation.booking_id)
    handler = handler_for(operation)
    try:
        with all_within(seconds_to_ask(operation)):
            prepared = handler.prepare(operation)
        cover(operation, prepared.price_cents)
    except LeaseLost:
        raise
    except (supplier.SupplierError, errors.GatewayError) as error:
        raise refused(operation, error, answered=answered) from error
    mark_calling(operation, prepared.data)
    if clock.now() >= operation.lease_until:
        raise LeaseLost  # frozen since it was marked: recovery may have given it up
    call: Ending = partial(handler.call, operation, caller.trigger.at_supplier())
    if lookups_of(operation) is not None:  # a real supplier, which may take minutes
        late = partial(conclude_late, operation)
        call = partial(within_wait, operation, call, settle=late)
    if operation.kind == OperationKind.BOOK and caller.trigger.leaves_pending():
        call = left_pending
    return conclude(operation, call, caller=caller if answered else None)


def left_pending() -> NoReturn:
    """The sandbox trigger `sbx_pending`: the supplier accepts the booking, and makes nothing of it by itself."""
    raise Accepted("")


def conclude(operation: Operation, ending: Ending, *, caller: Caller | None) -> Booking:
    """Make the call, and write down what the supplier answered. `caller` is None where no request waits for it any more."""
    try:
        result = call_supplier(operation, ending, answered=caller is not None)
    except Accepted as accepted:
        return accept(operation, accepted, caller=caller)
    return record(operation, result, caller=caller)


def conclude_late(operation: Operation, ending: Ending) -> None:
    """The same once the request was answered. Its key is free, and its next call finds what is written here."""
    try:
        conclude(operation, ending, caller=None)
    except errors.GatewayError as refused:
        logger.warning("%s: ended after its request in %s", operation, refused.type)


def cover(operation: Operation, price_cents: int) -> None:
    """Raise the hold, and the operation's amount with it, where the price has risen within what the partner allows. Raises
    LeaseLost, and PriceChanged for one that was approved: at the amount that was held then, and at no other.
    """
    if not operation.hold_id or price_cents <= operation.amount_cents:
        return
    if operation.approval_expires_at is not None:
        raise supplier.PriceChanged(price_cents)
    try:
        raise_with_hold(operation, price_cents)
    except IntegrityError as error:
        if not again(error):
            raise
        cover(operation, price_cents)
        return
    operation.amount_cents = price_cents


def raise_with_hold(operation: Operation, price_cents: int) -> None:
    own = Operation.objects.filter(pk=operation.pk, state=operation.state, lease_token=operation.lease_token)
    with transaction.atomic():
        if not own.update(amount_cents=price_cents):
            raise LeaseLost
        try:
            raise_hold(
                hold_id=operation.hold_id,
                to_cents=price_cents,
                trace=trace_of(operation, f"The price rose before {operation.booking.reference} was booked"),
            )
        except HoldResolved:
            raise LeaseLost from None  # given up meanwhile


def call_supplier(operation: Operation, ending: Ending, *, answered: bool) -> Any:
    """After a certain refusal the hold is released; after anything unclear the operation is `uncertain`, and 503 is raised.

    Raises Accepted where the supplier delivers later, StillUnderWay where the call continues without this request.
    """
    started = time.monotonic()
    try:
        return ending()
    except (Accepted, StillUnderWay):
        raise
    except supplier.OutcomeUnknown as error:
        logger.warning("%s: outcome unknown after %.1f s", operation, time.monotonic() - started)
        mark_uncertain(operation)
        raise errors.UpstreamUnavailable from error
    except supplier.SupplierError as error:
        raise refused(operation, error, answered=answered) from error
    except Exception as error:
        # An adapter that breaks in an unforeseen way may have sent its request: that is not a refusal.
        logger.exception("%s: the adapter failed", operation)
        mark_uncertain(operation)
        raise errors.UpstreamUnavailable from error


def record(operation: Operation, result: Any, *, caller: Caller | None) -> Booking:
    """Write the result. Where the lease was lost meanwhile, the answer is what its new owner made of the operation. A result that
    our tables do not take (a text that is too long) is treated like an answer that could not be read: it is looked up.
    """
    try:
        return confirm(operation, result, caller=caller)
    except DataError as error:
        logger.exception("%s: the supplier's response cannot be stored", operation)
        mark_uncertain(operation)
        raise errors.UpstreamUnavailable from error
    except LeaseLost:
        operation.refresh_from_db()
        operation.booking.refresh_from_db()
        if operation.state == OperationState.CONFIRMED:
            return operation.booking
        if operation.state == OperationState.FAILED:
            logger.critical("%s was given up, yet the supplier confirmed it: cancel it there", operation)
        raise errors.UpstreamUnavailable from None


def refused(operation: Operation, error: Exception, *, answered: bool) -> errors.GatewayError:
    """Fail the operation and return the error to raise. What cannot be cancelled or accepted may be so already: its supplier is
    polled soon.

    A partner that gets 503 cannot know that nothing was booked, as little as one whose request is over: both get an event.
    """
    wire_error = refusal(error, operation)
    answered = answered and wire_error.status_code != errors.UpstreamUnavailable.status
    fail(operation, failure=failure_named(error), answered=answered)
    if operation.kind in DONE_ONCE and isinstance(error, supplier.NotPossible | supplier.Missing):
        poll_soon(operation.booking)
    return wire_error


def refusal(error: Exception, operation: Operation) -> errors.GatewayError:
    """The error to raise for a refusal, whether the supplier or a check of ours refused."""
    booking, books = operation.booking, operation.kind == OperationKind.BOOK
    if books and isinstance(error, supplier.Missing | supplier.Expired):
        # What the supplier does not know is the offer. A plan has an id of its own, not a handle that expires.
        return errors.OfferExpired(NO_LONGER_SOLD if booking.product == Product.ESIM else None, ours=True)
    if isinstance(error, supplier.PriceChanged) and operation.kind == OperationKind.CANCEL:
        return dear_penalty(operation, error.current_cents)
    if isinstance(error, supplier.Expired) and operation.kind == OperationKind.CANCEL:
        # What expired is the supplier's own quote of the penalty, not a handle of the partner's: a retry asks again.
        return errors.UpstreamError()
    if isinstance(error, supplier.Expired) and operation.kind == OperationKind.CHANGE:
        return errors.OfferExpired.of_change()
    if isinstance(error, supplier.Expired) and operation.kind == OperationKind.PAY:
        return errors.OfferExpired.of_hold()
    if isinstance(error, supplier.SupplierError):
        return as_refusal(error, quoted_cents=quoted_cents(operation), currency=booking.currency)
    assert isinstance(error, errors.GatewayError)
    return error


def quoted_cents(operation: Operation) -> int:
    """The total that the partner saw last. For a change that is another total than the booking has."""
    return int(operation.request.get("quotedTotalCents", operation.booking.total_cents))


class StillUnderWay(errors.UpstreamUnavailable):
    """The supplier has not answered within the wait; the call continues."""

    default_message = (
        "The supplier has not finished yet; repeat with the same Idempotency-Key to get the outcome."
    )


def within_wait(operation: Operation, call: Ending, *, settle: Callable[[Ending], None]) -> Any:
    """What `call` returns or raises, if it ends in time. Else raises StillUnderWay, and the call's thread gives its end to
    `settle`.

    Raises Unavailable, having called nothing, where too many calls are under way.
    """
    refuse_inside_transaction()  # the thread has a connection of its own, on which this would not be seen
    if not _places.acquire(blocking=False):
        raise supplier.Unavailable("too many long calls are in progress")
    long = _LongCall(operation, call, settle)
    try:
        # Written out, because a thread is by default what its parent is, and the web server's own threads are daemons.
        threading.Thread(target=long.run, name=f"call {operation.client_ref}", daemon=False).start()
    except RuntimeError as error:  # the machine has no more threads
        _places.release()
        raise supplier.Unavailable("no thread for the call") from error
    return long.answer_within(settings.SUPPLIER_CALL_SECONDS)


class _LongCall:
    """One call. Its lock decides who writes its end: the request, or the thread."""

    def __init__(self, operation: Operation, call: Ending, settle: Callable[[Ending], None]) -> None:
        self._operation = operation
        self._call = call
        self._settle = settle
        self._changed = threading.Condition()
        self._ending: Ending | None = None
        self._left_alone = False
        self._work, self._trace = logs.handed_on(), tracing.here()
        self._keeper = LeaseKeeper(operation, at_once=True, daemon=False)

    def answer_within(self, seconds: float) -> Any:
        """Runs in the request's thread."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._ending is not None, timeout=seconds):
                self._left_alone = True
                self._keeper.start()
        if self._ending is None or self._left_alone:
            logger.warning("%s: no response in %.0f s, the call continues", self._operation, seconds)
            raise StillUnderWay
        return self._ending()

    def run(self) -> None:
        """Runs in the call's thread."""
        logs.enter(self._work)
        tracing.enter(self._trace)
        try:
            ending = _ended(self._call)
            with self._changed:
                self._ending = ending
                self._changed.notify_all()
                left_alone = self._left_alone
            if left_alone:
                self._settle(ending)
        except Exception:  # recovery takes the operation over once its lease ends
            logger.exception("%s: the outcome of the call could not be stored", self._operation)
        finally:
            self._keeper.stop()
            connections.close_all()
            _places.release()


def _ended(call: Ending) -> Ending:
    """How `call` ended, as a function that another thread can call: it returns the same result or raises the same error."""
    try:
        result = call()
    except Exception as error:
        ended_in = error

        def failed() -> Any:
            raise ended_in

        return failed
    return lambda: result
