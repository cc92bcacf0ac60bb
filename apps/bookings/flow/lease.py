"""State changes of an operation, each one UPDATE that names the expected state and lease; and the thread that keeps a lease.

If an UPDATE changes no row, another process owns the operation.
"""

import logging
import threading
import time
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connections
from django.db.models import Q

from apps.bookings.models import Operation, OperationState
from apps.bookings.statements import start_call
from apps.common import clock
from apps.common.errors import UpstreamUnavailable

logger = logging.getLogger(__name__)

FOR_ASKING = 0.9
"""The part of a lease in which suppliers are asked. The rest is for writing the result."""
LONGEST_SECONDS = 600.0
"""No call and no look-up takes longer. A thread that does is stuck, and recovery must get its operation."""


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
    """Take an open operation whose lease has ended. Returns False when another process has it."""
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
    """Renew the lease in full, for its owner. Returns its new end; None where it ended before: it may have another owner."""
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


class LeaseKeeper:
    """Renews the lease of an operation from `start` until `stop`. A lease that ran out in the meantime is not reclaimed.

    `at_once`: the first renewal comes at the start; else after a third of a lease, before which most look-ups have ended.
    `daemon`: whether a process that has to stop may end without waiting for this thread.
    """

    def __init__(self, operation: Operation, *, at_once: bool, daemon: bool) -> None:
        self._operation_pk, self._client_ref = operation.pk, operation.client_ref
        self._state, self._token = operation.state, operation.lease_token
        self._until = time.monotonic() + LONGEST_SECONDS
        self._at_once = at_once
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lease {operation.client_ref}", daemon=daemon)

    def start(self) -> None:
        """Never raises: without a thread the lease ends at its time, and recovery takes over."""
        try:
            self._thread.start()
        except RuntimeError:  # the machine has no more threads
            logger.exception("No thread to keep the lease of %s", self._client_ref)

    def stop(self) -> None:
        """No renewal comes after this returns: what is written next sets the lease's end."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        wait_seconds = 0.0 if self._at_once else settings.OPERATION_LEASE_SECONDS / 3
        while not self._over.wait(wait_seconds):
            try:
                if not self.renew():
                    return
            finally:
                connections.close_all()
            wait_seconds = settings.OPERATION_LEASE_SECONDS / 3

    def renew(self) -> bool:
        """Renew once. Returns False when the lease is lost, or is to end.

        Never raises: if the database is away now, the next renewal may still be in time.
        """
        if time.monotonic() > self._until:
            logger.critical("%s: its call does not end; left to recovery", self._client_ref)
            return False
        try:
            return renew_lease(self._operation_pk, state=self._state, token=self._token) is not None
        except Exception as failure:
            logger.warning("%s: its lease could not be renewed this time: %s", self._client_ref, failure)
            return True
