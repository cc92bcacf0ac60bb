"""Keeps the leases of calls that outlive their request, as long as this process lives and runs."""

import logging
import threading
import time
import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db import connections

from apps.bookings.models import Operation, OperationState
from apps.bookings.services.lease import renew_lease

logger = logging.getLogger(__name__)

LONGEST_SECONDS = 600.0
"""No call and no look-up takes longer: a thread that does is stuck, and recovery must have its operation."""


@dataclass(frozen=True, slots=True)
class _Kept:
    client_ref: str
    token: uuid.UUID
    until: float


class LeaseKeeper:
    """One thread, which runs while there is something to keep. Safe for threads, and after a fork (nothing is kept there)."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._kept: dict[int, _Kept] = {}
        self._news = False
        self._runs = False

    def keep(self, operation: Operation) -> None:
        """Renew the operation's lease at once and from now on."""
        kept = _Kept(operation.client_ref, operation.lease_token, time.monotonic() + LONGEST_SECONDS)
        with self._changed:
            self._kept[operation.pk] = kept
            self._news = True
            self._changed.notify_all()
            if not self._runs:
                self._start()

    def let_go(self, operation: Operation) -> None:
        with self._changed:
            self._kept.pop(operation.pk, None)
            self._changed.notify_all()

    def _start(self) -> None:
        try:
            threading.Thread(target=self._run, name="lease keeper", daemon=False).start()
            self._runs = True
        except RuntimeError:  # the machine has no more threads: recovery takes over when the lease ends
            logger.exception("No thread to keep leases")

    def _run(self) -> None:
        """Ends when nothing is left to keep."""
        while True:
            with self._changed:
                if not self._kept:
                    self._runs = False
                    return
                kept, self._news = dict(self._kept), False
            lost = [pk for pk, one in kept.items() if not _renewed(pk, one)]
            connections.close_all()
            with self._changed:
                for pk in lost:
                    self._kept.pop(pk, None)
                self._changed.wait_for(
                    lambda: self._news or not self._kept, timeout=settings.OPERATION_LEASE_SECONDS / 3
                )


def _renewed(pk: int, kept: _Kept) -> bool:
    """False when the lease is lost, or is to end. One that ran out while this process stood still is not taken back.

    Never raises: with its thread the keeper would end for good, and all calls under way would lose their leases.
    """
    if time.monotonic() > kept.until:
        logger.critical("%s: its call does not end; left to recovery", kept.client_ref)
        return False
    try:
        return renew_lease(pk, state=OperationState.CALLING, token=kept.token) is not None
    except Exception as failure:
        logger.warning("%s: its lease could not be renewed this time: %s", kept.client_ref, failure)
        return True


keeper = LeaseKeeper()
"""This process's."""
