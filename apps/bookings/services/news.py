"""News of suppliers: a standing booking that its supplier has cancelled is cancelled here, refunded and told (specification §6).

Every booking is asked for until its journey is over. A plain function, called by beat and by a management command.
"""

import logging
import time
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from apps.bookings.models import Booking
from apps.bookings.services.cancel import STANDING
from apps.bookings.services.reserve import reserve_withdrawal
from apps.bookings.services.settle import confirm, next_look
from apps.bookings.work import cancel_work_for
from apps.common import clock
from apps.common.environments import Environment
from apps.suppliers.errors import SupplierError

logger = logging.getLogger(__name__)

BATCH = 20
RUN_SECONDS = 45.0
"""No further batch is begun after so long: beat calls every minute, and two runs should not be at it at once."""


def ask_for_news(batch: int = BATCH, *, seconds: float = RUN_SECONDS) -> int:
    """Ask the suppliers of all bookings that are due, `batch` by `batch`, whether they still stand; how many no longer do.

    What time does not allow is due still, for the next run (`how_late`).
    """
    ended, ends_at = 0, time.monotonic() + seconds
    while due := claim_due(batch):
        ended += sum(no_longer_stands(booking) for booking in due)
        if len(due) < batch or time.monotonic() >= ends_at:
            break
    return ended


def no_longer_stands(booking: Booking) -> bool:
    """Whether it was found to have ended. All are put off already: one that breaks must not cost the others their turn."""
    try:
        return ask(booking)
    except Exception:
        logger.exception("%s: its news could not be followed", booking)
        return False


def how_late(now: datetime) -> timedelta:
    """For how long the oldest live booking that is due has waited to be asked for."""
    due = Booking.objects.filter(environment=Environment.LIVE, next_news_at__lte=now)
    oldest = due.order_by("next_news_at").values_list("next_news_at", flat=True).first()
    return now - oldest if oldest is not None else timedelta()


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
