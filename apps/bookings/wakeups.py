"""Starts tasks that ask suppliers before they are due. A message may be lost: the sweep does the work then."""

import logging

from apps.bookings.models import Booking
from apps.bookings.services.settle import poll_soon
from apps.suppliers.webhooks.signals import hint_stored

logger = logging.getLogger(__name__)


def wake_on_hints() -> None:
    hint_stored.connect(wake, dispatch_uid="follow hints")


def poll_at_once(booking: Booking) -> None:
    """Have its supplier polled now: it is known to have changed something. If the message is lost, the next sweep does it."""
    from apps.bookings.tasks import poll_standing_bookings

    poll_soon(booking)
    try:
        poll_standing_bookings.apply_async(retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("No task to poll %s (%s); the sweep will", booking, failure)


def wake(**kwargs: object) -> None:
    """Never raises: the hint is committed, and the supplier must get its answer."""
    from apps.bookings.tasks import follow_supplier_hints  # late: tasks import the services

    try:
        follow_supplier_hints.apply_async(retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("No task for a supplier's hint (%s); the sweep will find it", failure)
