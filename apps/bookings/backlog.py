"""Asks more workers to join a run that has found a backlog. The messages may be lost: then it takes longer."""

import logging

from celery import current_app

logger = logging.getLogger(__name__)

SETTLE_MORE = "apps.bookings.tasks.settle_more"
POLL_MORE = "apps.bookings.tasks.poll_more_bookings"
HELP_EXPIRES_SECONDS = 45.0
"""A worker that has no time until then is not needed any more: beat's next run asks again."""


def call_helpers(task: str, count: int) -> None:
    """Ask up to `count` more workers. Never raises."""
    try:
        for _ in range(count):
            current_app.send_task(task, expires=HELP_EXPIRES_SECONDS, retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("Nobody was asked to help with %s (%s)", task, failure)
