"""Keeps the lease of one operation while its supplier takes long: a thread renews it, as long as this process lives."""

import logging
import threading
import time
import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db import connections

from apps.bookings.models import Operation
from apps.bookings.services.lease import renew_lease

logger = logging.getLogger(__name__)

LONGEST_SECONDS = 600.0
"""No call and no look-up takes longer. A thread that does is stuck, and recovery must get its operation."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The lease of an operation, as its keeper knows it. It is not renewed after `until`, by the monotonic clock."""

    pk: int
    client_ref: str
    state: str
    token: uuid.UUID
    until: float

    @classmethod
    def of(cls, operation: Operation) -> "Lease":
        until = time.monotonic() + LONGEST_SECONDS
        return cls(operation.pk, operation.client_ref, operation.state, operation.lease_token, until)


class LeaseKeeper:
    """Renews the lease of an operation from `start` until `stop`. A lease that ran out meanwhile is not taken back.

    `at_once`: the first renewal comes at the start; else after a third of a lease, before which most look-ups have ended.
    `daemon`: whether a process that is told to stop may end without waiting for this thread.
    """

    def __init__(self, operation: Operation, *, at_once: bool, daemon: bool) -> None:
        self._lease = Lease.of(operation)
        self._at_once = at_once
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lease {operation.client_ref}", daemon=daemon)

    def start(self) -> None:
        """Never raises: without a thread the lease ends at its time, and recovery takes over."""
        try:
            self._thread.start()
        except RuntimeError:  # the machine has no more threads
            logger.exception("No thread to keep the lease of %s", self._lease.client_ref)

    def stop(self) -> None:
        """No renewal comes after this returns: what is written next sets the lease's end."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        wait_seconds = 0.0 if self._at_once else settings.OPERATION_LEASE_SECONDS / 3
        while not self._over.wait(wait_seconds):
            try:
                if not renewed(self._lease):
                    return
            finally:
                connections.close_all()
            wait_seconds = settings.OPERATION_LEASE_SECONDS / 3


def renewed(lease: Lease) -> bool:
    """Renew once. Returns False when the lease is lost, or is to end.

    Never raises: if the database is away now, the next renewal may still be in time.
    """
    if time.monotonic() > lease.until:
        logger.critical("%s: its call does not end; left to recovery", lease.client_ref)
        return False
    try:
        return renew_lease(lease.pk, state=lease.state, token=lease.token) is not None
    except Exception as failure:
        logger.warning("%s: its lease could not be renewed this time: %s", lease.client_ref, failure)
        return True
