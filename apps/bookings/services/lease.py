"""State changes of an operation. Each is one UPDATE that names the expected state and the lease.

Where it touches no row, somebody else owns the operation.
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
from apps.gateway.errors import UpstreamUnavailable

FOR_ASKING = 0.9
"""Of a lease; the rest is for writing down what was said."""


class LeaseLost(UpstreamUnavailable):
    """Another process owns the operation now; read its state and answer from that. On the wire, where nobody does: 503."""

    default_message = (
        "This is being resolved at the moment; repeat with the same Idempotency-Key to learn its end."
    )


def advance(operation: Operation, *, to: str, **columns: object) -> None:
    """Move the operation on and set `columns`, if it still is what this process believes. Raises LeaseLost."""
    changed = Operation.objects.filter(
        pk=operation.pk, state=operation.state, lease_token=operation.lease_token
    ).update(state=to, **columns)
    if not changed:
        raise LeaseLost
    operation.state = to
    for name, value in columns.items():
        setattr(operation, name, value)


def mark_calling(operation: Operation, prepared: Mapping[str, Any]) -> None:
    """Phase 3: from here on the supplier may have been asked. Committed before the socket opens."""
    now = clock.now()
    lease_until = now + timedelta(seconds=settings.OPERATION_LEASE_SECONDS)
    if not start_call(operation, now=now, lease_until=lease_until, prepared=dict(prepared)):
        raise LeaseLost
    operation.state = OperationState.CALLING
    operation.call_started_at = now
    operation.lease_until = operation.next_attempt_at = lease_until
    operation.prepared = dict(prepared)


def take_lease(operation: Operation) -> bool:
    """Own an open operation whose lease has ended; False when somebody else does."""
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
    """A whole lease anew for whoever has it; until when. None where it has ended: it may be another's by now."""
    now = clock.now()
    lease_until = now + timedelta(seconds=settings.OPERATION_LEASE_SECONDS)
    renewed = Operation.objects.filter(pk=pk, state=state, lease_token=token, lease_until__gt=now).update(
        lease_until=lease_until, next_attempt_at=lease_until
    )
    return lease_until if renewed else None


def seconds_to_ask(operation: Operation) -> float:
    """How long suppliers may be asked under the lease as it is."""
    return FOR_ASKING * (operation.lease_until - clock.now()).total_seconds()


def resolved(**columns: object) -> dict[str, object]:
    """The columns of an operation that nobody needs to look at again."""
    return {"next_attempt_at": None, "resolved_at": clock.now(), **columns}
