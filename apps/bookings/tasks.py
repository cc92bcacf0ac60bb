"""Beat's thin entries to the sweeps, which are plain functions."""

from celery import shared_task

from apps.bookings.services.news import ask_for_news
from apps.bookings.services.prune import prune_idempotency_records
from apps.bookings.services.reconcile import settle_owed
from apps.bookings.services.recover import recover_due


@shared_task
def recover_operations() -> int:
    return recover_due()


@shared_task
def settle_what_is_owed() -> int:
    return settle_owed()


@shared_task
def forget_idempotency_records() -> int:
    return prune_idempotency_records()


@shared_task
def ask_suppliers_for_news() -> int:
    return ask_for_news()
