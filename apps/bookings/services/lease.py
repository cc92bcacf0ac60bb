"""State changes of an operation. Each is one UPDATE that names the expected state and lease.

If it changes no row, somebody else owns the operation.
"""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q

from apps.bookings.models import Operation, OperationState
from apps.bookings.statements import start_call
from apps.common import clock
from apps.common.errors import UpstreamUnavailable

FOR_ASKING = 0.9
"""The part of a lease in which suppliers are asked. The rest is for writing the result."""


class LeaseLost(UpstreamUnavailable):
    """Another process owns the operation now: read its state, and answer from that. A caller that does not gets 503."""

    default_message = (
        "This is being resolved at the moment; repeat with the same Idempotency-Key to learn its end."
    )


def advance(operation: Operation, *, to: str, **columns: object) -> None:
    """Move the operation to a state and set `columns`, if it still is as this process believes. Raises LeaseLost."""
    changed = Operation.objects.filter(
        pk=operation.pk, state=operation.state, lease_token=operation.lease_token
    ).update(state=to, **columns)
    if not changed:
        raise LeaseLost
    operation.state = to
    for name, value in columns.items():
        setattr(operation, name, value)


def mark_calling(operation: Operation, prepared: Mapping[str, Any]) -> None:
    """From now on the supplier may have been asked. Committed before the connection is opened. Raises LeaseLost."""
    now = clock.now()
    lease_until = now + timedelta(seconds=settings.OPERATION_LEASE_SECONDS)
    if not start_call(operation, now=now, lease_until=lease_until, prepared=dict(prepared)):
        raise LeaseLost
    operation.state = OperationState.CALLING
    operation.call_started_at = now
    operation.lease_until = operation.next_attempt_at = lease_until
    operation.prepared = dict(prepared)


def take_lease(operation: Operation) -> bool:
    """Take an open operation whose lease has ended. Returns False when somebody else has it."""
    now = clock.now()
    token = uuid.uuid4()
    lease_until = now + timedelta(seconds=settings.OPERATION_LEASE_SECONDS)
    taken = Operation.objects.filter(
        Q(lease_until__lte=now), pk=operation.pk, state=operation.state, lease_token=operation.lease_token
    ).update(lease_token=token, lease_until=lease_until, next_attempt_at=lease_until)
    if taken:
        operation.lease_token = token
        operation.lease_until = lease_until
    return bool(taken)


def renew_lease(pk: int, *, state: str, token: uuid.UUID) -> datetime | None:
    """Renew the lease in full, for its owner. Returns its new end; None where it ended before: somebody else may have it now."""
    now = clock.now()
    lease_until = now + timedelta(seconds=settings.OPERATION_LEASE_SECONDS)
    renewed = Operation.objects.filter(pk=pk, state=state, lease_token=token, lease_until__gt=now).update(
        lease_until=lease_until, next_attempt_at=lease_until
    )
    return lease_until if renewed else None


def seconds_to_ask(operation: Operation) -> float:
    """For how many seconds suppliers may be asked under the lease as it is."""
    return FOR_ASKING * (operation.lease_until - clock.now()).total_seconds()


def resolved(operation: Operation, **columns: object) -> dict[str, object]:
    """The columns of an operation that is over."""
    return {"next_attempt_at": None, "resolved_at": operation.booking.now(), **columns}
