"""Beat's thin entries to the sweeps, which are plain functions.

Those that ask suppliers have a queue of their own (`CELERY_TASK_ROUTES`): one that hangs must not keep the others waiting.
"""

import logging
from functools import partial

from celery import current_app, shared_task
from django.conf import settings

from apps.bookings.erasure import forget_travellers
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints, prune_hints
from apps.bookings.models import CancellationQuote
from apps.bookings.pruning import prune_idempotency_records, prune_sandboxes, prune_searches
from apps.gateway.periodic import Tally

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
        logger.warning("No staff were notified of %s (%s)", task, failure)


@shared_task
def recover_operations() -> Tally:
    tally = Tally()
    recover_due(tally=tally)
    return tally


@shared_task
def settle_what_is_owed() -> Tally:
    tally = Tally()
    settle_owed(tally=tally, more_is_due=partial(call_helpers, SETTLE_MORE, settings.SETTLEMENT_HELPERS))
    return tally


@shared_task(name=SETTLE_MORE)
def settle_more() -> None:
    """Sent by a run that found a backlog. What fails here is reported by beat's runs."""
    settle_owed()


@shared_task
def forget_idempotency_records() -> int:
    """Called by beat. Old cancellation quotes and what is left of retired sandboxes are deleted by the same run."""
    quotes = prune_searches(CancellationQuote, through="booking__")
    return prune_idempotency_records() + quotes + prune_sandboxes()


@shared_task
def poll_standing_bookings() -> Tally:
    tally = Tally()
    helpers = settings.SUPPLIER_NEWS_HELPERS
    poll_suppliers(tally=tally, more_is_due=partial(call_helpers, POLL_MORE, helpers))
    return tally


@shared_task(name=POLL_MORE)
def poll_more_bookings() -> None:
    """Sent by a run that found a backlog. What fails here is reported by beat's runs."""
    poll_suppliers()


@shared_task
def follow_supplier_hints() -> Tally:
    """Called by a new hint, and by beat for those whose call was lost."""
    tally = Tally()
    follow_hints(tally=tally)
    return tally


@shared_task
def forget_old_travellers() -> int:
    return forget_travellers()


@shared_task
def forget_supplier_hints() -> int:
    return prune_hints()
