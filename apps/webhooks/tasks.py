"""Thin tasks. Messages carry nothing: what is due is found in PostgreSQL.

Deliveries have a queue of their own (`CELERY_TASK_ROUTES`): a run may wait for receivers that hang, and no other
sweep shall wait for it.
"""

from celery import shared_task
from django.conf import settings

from apps.webhooks import wakeups
from apps.webhooks.services.advance_recoveries import advance_recoveries
from apps.webhooks.services.dispatch import Dispatcher
from apps.webhooks.services.prune import prune


@shared_task(name="webhooks.deliver_due")
def deliver_due() -> None:
    """The wake-up: deliver until nothing is due."""
    wakeups.let_go()
    Dispatcher().run()


@shared_task(name="webhooks.sweep")
def sweep() -> None:
    """Called by beat: what a lost wake-up meant, and every retry on its second until the next sweep comes."""
    Dispatcher().run(linger=settings.WEBHOOK_SWEEP_SECONDS)


@shared_task(name="webhooks.advance_recoveries")
def advance() -> None:
    """Called by beat: the next deliveries of every recovery under way."""
    advance_recoveries()


@shared_task(name="webhooks.prune")
def prune_history() -> None:
    """Called by beat: forget what is older than 30 days."""
    prune()
