"""Messages that start work before beat does. Each may be lost: the sweeps find the work."""

import logging

from celery import current_app

from apps.suppliers.webhooks.signals import hint_stored

logger = logging.getLogger(__name__)

SETTLE_MORE = "apps.bookings.tasks.settle_more"
ASK_FOR_MORE_NEWS = "apps.bookings.tasks.ask_for_more_news"
HELP_EXPIRES_SECONDS = 45.0
"""A worker that has no time until then is not needed any more: beat's next run asks again."""


def wake_on_hints() -> None:
    hint_stored.connect(wake, dispatch_uid="follow hints")


def wake(**kwargs: object) -> None:
    """Never raises: the hint is committed, and the supplier must get its answer."""
    from apps.bookings.tasks import follow_supplier_hints  # late: tasks import the services

    try:
        follow_supplier_hints.apply_async(retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("No task for a supplier's hint (%s); the sweep will find it", failure)


def call_helpers(task: str, count: int) -> None:
    """Ask up to `count` more workers to join a run that has a backlog. Never raises: without them it takes longer."""
    try:
        for _ in range(count):
            current_app.send_task(task, expires=HELP_EXPIRES_SECONDS, retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("Nobody was asked to help with %s (%s)", task, failure)
