"""Starts the task that follows hints of suppliers, once a hint is stored. The message may be lost: the sweep finds the hint."""

import logging

from apps.suppliers.webhooks import hint_stored

logger = logging.getLogger(__name__)


def wake_on_hints() -> None:
    hint_stored.connect(wake, dispatch_uid="follow hints")


def wake(**kwargs: object) -> None:
    """Never raises: the hint is committed, and the supplier must get its answer."""
    from apps.bookings.tasks import follow_supplier_hints  # late: tasks import the services

    try:
        follow_supplier_hints.apply_async(retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("No task for a supplier's hint (%s); the sweep will find it", failure)
