"""What a call with an Idempotency-Key finds: nothing yet, and it begins its operation; or the operation of an earlier call that
was answered 5xx or died, and it continues that one. Nothing is booked twice.
"""

import logging
from collections.abc import Callable

from apps.bookings.flow.call import perform
from apps.bookings.flow.lease import LeaseLost, take_lease
from apps.bookings.flow.recover import look_up, wait_anyway
from apps.bookings.models import Booking, Operation, OperationState
from apps.common.errors import GatewayError, IdempotencyKeyInProgress, UpstreamUnavailable
from apps.gateway.requests import Caller

logger = logging.getLogger(__name__)


def carry_out(*, caller: Caller, begin: Callable[[], Operation]) -> Booking:
    """Begin the operation, or continue the one that an earlier call with this Idempotency-Key began."""
    earlier = begun_by(caller)
    if earlier is not None:
        return resume(earlier, caller=caller)
    operation = begin()
    if operation.state == OperationState.AWAITING:
        return operation.booking
    return perform(operation, caller=caller)


def begun_by(caller: Caller) -> Operation | None:
    """The operation of the caller's Idempotency-Key that did not fail; there is one at most. Found by the index over those."""
    if caller.claim is None or not caller.claim.taken_over:
        return None
    return (
        Operation.objects.select_related("booking")
        .filter(idempotency_record_id=caller.claim.record_id)
        .exclude(state=OperationState.FAILED)
        .first()
    )


def resume(operation: Operation, *, caller: Caller) -> Booking:
    """Confirmed, or awaiting approval: its booking. Never called: call now. Maybe called: look it up; still unknown is 503 again.

    A booking that the supplier has accepted and delivers later is returned as it is: pending.
    """
    if operation.state in (OperationState.CONFIRMED, OperationState.AWAITING):
        return operation.booking
    if operation.state == OperationState.REVIEW:
        raise UpstreamUnavailable("Our staff are clarifying this booking with the supplier.", ours=True)
    if not take_lease(operation):
        # An uncertain one has no call in progress any more, and a look-up may wait for its supplier for minutes.
        raise LeaseLost if operation.state == OperationState.UNCERTAIN else IdempotencyKeyInProgress
    if operation.state == OperationState.HELD:
        return perform(operation, caller=caller)
    if found(operation):
        return operation.booking
    raise UpstreamUnavailable


def found(operation: Operation) -> bool:
    """Whether the supplier has it. Where the look-up breaks, that is not known, and the operation waits as in the recovery
    worker.
    """
    try:
        return look_up(operation)
    except GatewayError:  # the lease was lost: its new owner resolves the operation
        raise
    except Exception:
        logger.exception("%s could not be looked up", operation)
        wait_anyway(operation)
        return False
