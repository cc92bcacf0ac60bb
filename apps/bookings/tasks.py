"""Beat's thin entries to the sweeps, which are plain functions.

Those that ask suppliers have a queue of their own (`CELERY_TASK_ROUTES`): one that hangs must not keep the others waiting.
"""

from functools import partial

from celery import shared_task
from django.conf import settings

from apps.bookings.backlog import POLL_MORE, SETTLE_MORE, call_helpers
from apps.bookings.services.forget_travellers import forget_travellers
from apps.bookings.services.polling import poll_suppliers
from apps.bookings.services.prune import prune_idempotency_records, prune_sandboxes
from apps.bookings.services.reconcile import settle_owed
from apps.bookings.services.recover import recover_due
from apps.bookings.services.supplier_hints import follow_hints, prune_hints
from apps.gateway.periodic import Tally


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
    """Sent by a run that found a backlog. What fails here is told by beat's runs."""
    settle_owed()


@shared_task
def forget_idempotency_records() -> int:
    """Called by beat. What is left of retired sandboxes is deleted by the same run."""
    return prune_idempotency_records() + prune_sandboxes()


@shared_task
def poll_standing_bookings() -> Tally:
    tally = Tally()
    helpers = settings.SUPPLIER_NEWS_HELPERS
    poll_suppliers(tally=tally, more_is_due=partial(call_helpers, POLL_MORE, helpers))
    return tally


@shared_task(name=POLL_MORE)
def poll_more_bookings() -> None:
    """Sent by a run that found a backlog. What fails here is told by beat's runs."""
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
