"""Reacts to the moved clock of a test environment, and to a supplier's hint."""

import logging
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.dispatch import receiver

from apps.accounts.signals import clock_moved
from apps.bookings.models import OPEN_STATES, Booking, Operation, Settlement
from apps.common.environments import Environment
from apps.suppliers.webhooks import hint_stored

logger = logging.getLogger(__name__)


@receiver(clock_moved)
def pull_bookings_back(*, account_id: str, advance: timedelta, **_: Any) -> None:
    """Polls, look-ups and settlements that failed become due sooner by `advance`. Leases of calls stay: a call that is under way
    is not lost because a clock moved.
    """
    polled = Booking.objects.filter(
        account_id=account_id, environment=Environment.TEST, next_news_at__isnull=False
    )
    polled.update(next_news_at=F("next_news_at") - advance)
    looked_up = Operation.objects.filter(
        booking__account_id=account_id, booking__environment=Environment.TEST, state__in=OPEN_STATES
    )
    owed = Settlement.objects.filter(
        booking__account_id=account_id, booking__environment=Environment.TEST, settled_at=None
    )
    owed.update(next_attempt_at=F("next_attempt_at") - advance)
    looked_up.update(
        next_attempt_at=F("next_attempt_at") - advance,
        call_started_at=F("call_started_at") - advance,
        first_not_found_at=F("first_not_found_at") - advance,
    )


@receiver(hint_stored)
def wake(**kwargs: object) -> None:
    """Start the task that follows hints. Never raises: the hint is committed, and the supplier must get its answer."""
    from apps.bookings.tasks import follow_supplier_hints  # late: tasks import the services

    try:
        follow_supplier_hints.apply_async(retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("No task for a supplier's hint (%s); the sweep will find it", failure)
