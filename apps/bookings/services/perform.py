"""Phases 3 to 5 of an operation: ask the price, mark the call, call the supplier, write down what came of it.

No database transaction is open during a supplier call. A definite refusal frees the hold before the answer; anything unclear
keeps it and leaves the operation to the recovery worker (`recover`) and to the partner's own retry (`resume`).
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from apps.bookings.models import Booking, Operation, OperationKind, OperationState, Product
from apps.bookings.refusals import as_refusal
from apps.bookings.services.lease import LeaseLost, mark_calling, seconds_to_ask
from apps.bookings.services.long_calls import Ending, StillUnderWay, within_wait
from apps.bookings.services.reserve import trace_of
from apps.bookings.services.settle import accept, ask_soon, confirm, fail, mark_uncertain
from apps.bookings.work import Accepted, lookups_of, work_for
from apps.common import clock
from apps.gateway import errors
from apps.gateway.call import Answer, Caller
from apps.gateway.idempotency import Claim
from apps.ledger.errors import HoldResolved
from apps.ledger.services.raise_hold import raise_hold
from apps.suppliers import errors as supplier
from apps.suppliers.http import all_within

logger = logging.getLogger(__name__)

NO_LONGER_SOLD = "The supplier no longer sells this plan; choose another one from the catalogue."

Render = Callable[[Booking], Answer]


def perform(operation: Operation, *, caller: Caller, render: Render) -> Booking:
    """Carry out an operation that holds its funds and was not called yet; the booking as it then stands.

    Raises what the supplier's answer means (502, 503, 409, 410), or 402 when a dearer price that `maxTotalCents` allows is not
    covered.
    """
    work = work_for(operation)
    try:
        with all_within(seconds_to_ask(operation)):
            prepared = work.prepare(operation)
        cover(operation, prepared.price_cents)
    except LeaseLost:
        raise
    except (supplier.SupplierError, errors.GatewayError) as error:
        raise refused(operation, error) from error
    mark_calling(operation, prepared.data)
    if clock.now() >= operation.lease_until:
        raise LeaseLost  # paused since it was marked: recovery may have given it up
    call = partial(work.call, operation, caller.trigger.at_supplier())
    if lookups_of(operation) is not None:  # a real supplier, who may take minutes
        late = partial(conclude_late, operation)
        call = partial(within_wait, operation, call, settle=late)
    return conclude(operation, call, claim=caller.claim, render=render)


def conclude(operation: Operation, ending: Ending, *, claim: Claim | None, render: Render | None) -> Booking:
    """Phases 4 and 5: what the supplier answered, written down."""
    try:
        result = call_supplier(operation, ending)
    except Accepted as accepted:
        return accept(operation, accepted, claim=claim, render=render)
    return record(operation, result, claim=claim, render=render)


def conclude_late(operation: Operation, ending: Ending) -> None:
    """The same once the request has gone: its key is free, so that the booking itself is what its next call finds."""
    try:
        conclude(operation, ending, claim=None, render=None)
    except errors.GatewayError as refused:
        logger.warning("%s: ended after its request in %s", operation, refused.type)


def cover(operation: Operation, price_cents: int) -> None:
    """Raise the hold where the price has risen within what the partner allows."""
    if operation.hold_id and price_cents > operation.amount_cents:
        try:
            raise_hold(
                hold_id=operation.hold_id, to_cents=price_cents, trace=trace_of(operation, "price rose")
            )
        except HoldResolved:
            raise LeaseLost from None  # the recovery worker gave the operation up meanwhile
        Operation.objects.filter(pk=operation.pk).update(amount_cents=price_cents)
        operation.amount_cents = price_cents


def call_supplier(operation: Operation, ending: Ending) -> Any:
    """Phase 4. After a certain refusal the hold is free; after anything unclear the operation is `uncertain`, and 503 raised.

    Raises Accepted where the supplier delivers later, StillUnderWay where the call goes on without this request.
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
        raise refused(operation, error) from error
    except Exception as error:
        # An adapter that breaks in an unforeseen way may have been heard: that is not a refusal.
        logger.exception("%s: the adapter failed", operation)
        mark_uncertain(operation)
        raise errors.UpstreamUnavailable from error


def record(operation: Operation, result: Any, *, claim: Claim | None, render: Render | None) -> Booking:
    """Phase 5. Where the lease was lost on the way, the answer is what its new owner made of the operation."""
    try:
        return confirm(operation, result, claim=claim, render=render)
    except LeaseLost:
        operation.refresh_from_db()
        operation.booking.refresh_from_db()
        if operation.state == OperationState.CONFIRMED:
            return operation.booking
        if operation.state == OperationState.FAILED:
            logger.critical("%s was given up, yet the supplier confirmed it: cancel it there", operation)
        raise errors.UpstreamUnavailable from None


def refused(operation: Operation, error: Exception) -> errors.GatewayError:
    """Give the operation up, and say why. What will not be cancelled may be so already: its supplier is asked at once."""
    fail(operation, failure=type(error).__name__)
    if operation.kind == OperationKind.CANCEL and isinstance(error, supplier.NotPossible | supplier.Missing):
        ask_soon(operation.booking)
    return refusal(error, operation)


def refusal(error: Exception, operation: Operation) -> errors.GatewayError:
    """The error to raise for what a supplier, or a check of ours, refused."""
    booking, books = operation.booking, operation.kind == OperationKind.BOOK
    if books and isinstance(error, supplier.Missing | supplier.Expired):
        # What it does not know is the offer: nobody asked for an object of ours. A plan is no handle that had its time.
        return errors.OfferExpired(NO_LONGER_SOLD if booking.product == Product.ESIM else None)
    if isinstance(error, supplier.Expired) and operation.kind == OperationKind.CANCEL:
        return (
            errors.UpstreamError()
        )  # its own quote of the penalty, no handle of the partner's: a retry asks anew
    if isinstance(error, supplier.SupplierError):
        return as_refusal(error, quoted_cents=quoted_cents(operation), currency=booking.currency)
    assert isinstance(error, errors.GatewayError)
    return error


def quoted_cents(operation: Operation) -> int:
    """The total that the partner was told last: a change tells another one than the booking has."""
    return int(operation.request.get("quotedTotalCents", operation.booking.total_cents))
