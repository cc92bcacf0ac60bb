"""A look-up: what the supplier knows of an operation whose end is not known here.

It may be many calls, some of which a supplier takes two minutes to answer, and whoever loses the lease meanwhile has looked in
vain. So a look-up that a partner's request waits for ends within the lease. One that may take longer, because nobody waits, or
staff do, has the lease renewed for as long as it lasts.
"""

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connections

from apps.bookings.models import Operation
from apps.bookings.services.lease import renew_lease, seconds_to_ask
from apps.bookings.services.lease_keeper import LONGEST_SECONDS
from apps.bookings.work import work_for
from apps.suppliers.http import all_within

logger = logging.getLogger(__name__)


def find(operation: Operation, *, patiently: bool) -> Any | None:
    """What was done under the operation's client_ref, or None. Raises supplier errors, and Accepted."""
    if not patiently:
        with all_within(seconds_to_ask(operation)):
            return work_for(operation).find(operation)
    with lease_kept(operation), all_within(LONGEST_SECONDS):
        return work_for(operation).find(operation)


@contextmanager
def lease_kept(operation: Operation) -> Iterator[None]:
    """The lease is renewed as long as the block lasts, and not once more: what follows sets its end.

    A process that stands still for longer than the lease loses the operation all the same.
    """
    over = threading.Event()
    renewing = threading.Thread(
        target=_renew,
        args=(operation.pk, operation.state, operation.lease_token, over),
        name=f"look {operation.client_ref}",
        daemon=True,
    )
    try:
        renewing.start()
    except RuntimeError:  # the machine has no more threads: the lease lasts as long as it lasts
        logger.exception("No thread to keep the lease of %s", operation)
        over.set()
    try:
        yield
    finally:
        over.set()
        if renewing.ident is not None:
            renewing.join()


def _renew(pk: int, state: str, token: uuid.UUID, over: threading.Event) -> None:
    """Until the look-up is over, or the lease is lost. Of most look-ups it does nothing: they are over before."""
    try:
        while not over.wait(settings.OPERATION_LEASE_SECONDS / 3):
            if not _renewed(pk, state, token):
                return
    finally:
        connections.close_all()


def _renewed(pk: int, state: str, token: uuid.UUID) -> bool:
    """Never raises: where the database is away, the next time may be in time."""
    try:
        return renew_lease(pk, state=state, token=token) is not None
    except Exception as failure:
        logger.warning("the lease of a look-up could not be renewed this time: %s", failure)
        return True
