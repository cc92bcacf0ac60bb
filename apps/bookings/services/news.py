"""News of suppliers: a standing booking that its supplier has cancelled is cancelled here, refunded and told (specification §6).

Every booking is asked for until its journey is over. A plain function, called by beat and by a management command.
"""

import logging
from typing import Any

from django.db import IntegrityError, transaction

from apps.bookings.models import Booking
from apps.bookings.services.cancel import STANDING
from apps.bookings.services.reserve import reserve_withdrawal
from apps.bookings.services.settle import confirm, next_look
from apps.bookings.work import cancel_work_for
from apps.common import clock
from apps.suppliers.errors import SupplierError

logger = logging.getLogger(__name__)

BATCH = 50


def ask_for_news(batch: int = BATCH) -> int:
    """Ask the suppliers of up to `batch` bookings whether they still stand; how many no longer do."""
    ended = 0
    for booking in claim_due(batch):
        try:
            ended += ask(booking)
        except Exception:  # all are put off already: one that breaks must not cost the others their turn
            logger.exception("%s: its news could not be followed", booking)
    return ended


def claim_due(batch: int) -> list[Booking]:
    """The bookings to ask for, put off to their next look at once: workers share them, and one that dies loses a turn.

    Live ones come first: however much a partner books in the sandbox, no real journey waits for its news.
    """
    now = clock.now()
    with transaction.atomic():
        due = list(
            Booking.objects.select_for_update(skip_locked=True, no_key=True)
            .filter(next_news_at__lte=now)
            .order_by("environment", "next_news_at")[:batch]
        )
        for booking in due:
            booking.next_news_at = next_look(booking, now)
        Booking.objects.bulk_update(due, ["next_news_at"])
    return due


def ask(booking: Booking) -> bool:
    """Whether the supplier has ended this booking by itself, and it was cancelled here for that."""
    work = cancel_work_for(booking)
    if work is None:
        return False
    try:
        result = work.withdrawn(booking)
    except SupplierError as error:
        logger.info("no news of %s: %s", booking, error)
        return False
    return result is not None and withdraw(booking, result)


def withdraw(booking: Booking, result: Any) -> bool:
    """Cancel as the supplier did. False while the partner's own operation on the booking is under way: that one decides."""
    try:
        with transaction.atomic():
            locked = Booking.objects.select_for_update(no_key=True).get(pk=booking.pk)
            if locked.status not in STANDING:
                return False
            operation = reserve_withdrawal(locked, reason="Cancelled by the supplier.")
    except IntegrityError:
        return False
    confirm(operation, result)
    logger.warning("%s was cancelled by its supplier", booking)
    return True
