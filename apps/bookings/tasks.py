"""Beat's thin entries to the sweeps, which are plain functions.

Those that ask suppliers have a queue of their own (`CELERY_TASK_ROUTES`): one that hangs must not keep the others waiting.
"""

from celery import shared_task

from apps.bookings.services.polling import poll_suppliers
from apps.bookings.services.prune import prune_idempotency_records
from apps.bookings.services.reconcile import settle_owed
from apps.bookings.services.recover import recover_due
from apps.bookings.services.supplier_hints import follow_hints, prune_hints


@shared_task
def recover_operations() -> int:
    return recover_due()


@shared_task
def settle_what_is_owed() -> int:
    return settle_owed()


@shared_task
def forget_idempotency_records() -> int:
    return prune_idempotency_records()


@shared_task(
    name="apps.bookings.tasks.ask_suppliers_for_news"
)  # beat's table and messages under way have this name
def poll_standing_bookings() -> int:
    return poll_suppliers()


@shared_task
def follow_supplier_hints() -> int:
    """Called by a new hint, and by beat for those whose call was lost."""
    return follow_hints()


@shared_task
def forget_supplier_hints() -> int:
    return prune_hints()
