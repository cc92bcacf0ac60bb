"""What staff do about an operation with an unknown outcome: look it up now, confirm it as the supplier says, or give it up.

Its lease decides who writes, as everywhere. So it ends once, whether staff, the recovery worker or a partner's retry ends it. A
booking is confirmed with the supplier's answer and with nothing else.
"""

import logging
from typing import Any

from django.db.models import TextChoices

from apps.accounts.models import User
from apps.bookings.flow.lease import LeaseLost, advance, take_lease
from apps.bookings.flow.recover import find, look_up, recover, wait_anyway
from apps.bookings.flow.settle import confirm, fail
from apps.bookings.handlers import Accepted, handler_for
from apps.bookings.models import Operation, OperationState
from apps.bookings.refusals import GIVEN_UP
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.suppliers.errors import SupplierError

logger = logging.getLogger(__name__)


class Finding(TextChoices):
    """The result of a look-up."""

    FOUND = "found", "The supplier has it: it is done."
    NOT_FOUND = "not found", "The supplier knows nothing of it."
    NO_ANSWER = "no answer", "The supplier did not respond."
    UNDER_WAY = "under way", "The supplier has it, and has not finished it yet."
    WAITING = "waiting", "Not known yet: it is looked up again automatically."
    OVER = "over", "It is over already."


def look_up_now(*, operation_id: int, looked_up_by: User) -> Finding:
    """Ask the supplier once more, before it is due.

    An uncertain operation then continues as in the recovery worker. One that is with staff is confirmed if the supplier has it,
    and else stays with them. Raises Conflict while another process owns it.
    """
    operation = _owned(operation_id)
    if operation is None:
        return Finding.OVER
    logger.info("%s: looked up by %s", operation, looked_up_by.pk)
    if operation.state == OperationState.REVIEW:
        finding, result = _ask(operation)
        return _done(operation, result) if finding == Finding.FOUND else _still_with_staff(operation, finding)
    return _recovered(operation)


def take_suppliers_word(*, operation_id: int, supplier_reference: str, resolved_by: User) -> None:
    """Confirm it. The supplier is asked again, and its answer must have the reference that staff typed in.

    Raises Conflict where it is not with staff, or the supplier's answer says something else. It then stays with them.
    """
    operation = _with_staff(operation_id)
    finding, result = _ask(operation)
    if finding != Finding.FOUND:
        _still_with_staff(operation, finding)
        raise Conflict(f"{finding.label} It remains assigned to you.")
    stated = _reference_in(operation, result)
    if stated != supplier_reference.strip():
        _still_with_staff(operation, Finding.NO_ANSWER)
        raise Conflict(
            f"The supplier's own response has the reference {stated!r}. It remains assigned to you."
        )
    _done(operation, result)
    logger.warning("%s: done, on the word of its supplier, by %s", operation, resolved_by.pk)


def give_up(*, operation_id: int, client_ref: str, reason: str, resolved_by: User) -> None:
    """Fail it: staff know that the supplier does not have it. The funds are released, and a booking that was never made has
    failed.

    `client_ref` is typed in to confirm. The supplier is asked once more: if it says that it has it, nothing is given up. Raises
    InvalidRequest for another reference, Conflict where it is not with staff or the supplier has it.
    """
    operation = _with_staff(operation_id, typed=client_ref)
    finding, _ = _ask(operation)
    if finding in (Finding.FOUND, Finding.UNDER_WAY):
        _still_with_staff(operation, finding)
        raise Conflict("The supplier reports that it has it. It remains assigned to you.")
    fail(operation, failure=GIVEN_UP)
    logger.warning("%s: given up by %s: %s", operation, resolved_by.pk, reason)


def _recovered(operation: Operation) -> Finding:
    """One step of the recovery worker, taken now."""
    if operation.state == OperationState.HELD:
        recover(operation)
        return Finding.NOT_FOUND
    try:
        has_it = look_up(operation, patiently=True)
    except LeaseLost:
        raise
    except Exception:
        logger.exception("%s could not be recovered", operation)
        wait_anyway(operation)
        return Finding.NO_ANSWER
    if operation.state == OperationState.UNCERTAIN:
        return Finding.UNDER_WAY if has_it else Finding.WAITING
    if operation.state == OperationState.REVIEW:
        return Finding.NO_ANSWER
    return Finding.FOUND if has_it else Finding.NOT_FOUND


def _owned(operation_id: int) -> Operation | None:
    """The operation, with its lease taken; None where it is over. Raises Conflict while another process owns it."""
    operation = Operation.objects.select_related("booking").get(pk=operation_id)
    if operation.state in (OperationState.CONFIRMED, OperationState.FAILED):
        return None
    if operation.state == OperationState.AWAITING:
        raise Conflict("No supplier has been called: it awaits the approval of the partner's members.")
    if not take_lease(operation):
        raise Conflict("Another process is looking it up at this moment.")
    return operation


def _with_staff(operation_id: int, *, typed: str | None = None) -> Operation:
    operation = Operation.objects.select_related("booking").get(pk=operation_id)
    if operation.state != OperationState.REVIEW:
        raise Conflict("It is not assigned to you: it has ended, or is still being looked up.")
    if typed is not None and typed.strip() != operation.client_ref:
        raise InvalidRequest("That is not its reference.")
    if not take_lease(operation):
        raise Conflict("Another process is looking it up at this moment.")
    return operation


def _ask(operation: Operation) -> tuple[Finding, Any]:
    """What the supplier answers. An answer that cannot be read counts as none."""
    try:
        result = find(operation, patiently=True)
    except Accepted:
        return Finding.UNDER_WAY, None
    except SupplierError as error:
        logger.info("%s: no response to the look-up: %s", operation, error)
        return Finding.NO_ANSWER, None
    except Exception:
        logger.exception("%s: its look-up broke", operation)
        return Finding.NO_ANSWER, None
    return (Finding.NOT_FOUND, None) if result is None else (Finding.FOUND, result)


def _done(operation: Operation, result: Any) -> Finding:
    """Confirm it as a request would. Raises Conflict where the answer cannot be written: the operation then stays with staff."""
    try:
        confirm(operation, result)
    except LeaseLost:
        raise
    except Exception as error:
        logger.exception("%s: the supplier's response could not be stored", operation)
        # Read again: the instance still shows what was rolled back.
        stored = Operation.objects.get(pk=operation.pk, lease_token=operation.lease_token)
        _still_with_staff(stored, Finding.NO_ANSWER)
        raise Conflict("The supplier's response could not be stored; it is in the log.") from error
    return Finding.FOUND


def _reference_in(operation: Operation, result: Any) -> str:
    """The supplier's reference that the booking would get; empty where the answer cannot be read."""
    try:
        return handler_for(operation).outcome(operation, result).supplier_reference
    except Exception:
        logger.exception("%s: the supplier's response could not be read", operation)
        return ""


def _still_with_staff(operation: Operation, finding: Finding) -> Finding:
    """With staff as before, with one look-up more."""
    advance(
        operation,
        to=OperationState.REVIEW,
        next_attempt_at=None,
        lease_until=clock.now(),
        lookups=operation.lookups + 1,
    )
    return finding
