"""Thin tasks. Celery messages have no payload: what is due is found in PostgreSQL.

Deliveries have a queue of their own (`CELERY_TASK_ROUTES`): a run may wait for receivers that hang, and must not delay other
sweeps.
"""

from celery import shared_task
from django.conf import settings

from apps.gateway.periodic import ITSELF, Tally
from apps.webhooks import wakeups
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.services.advance_recoveries import advance_recoveries
from apps.webhooks.services.prune import prune, prune_sandboxes
from apps.webhooks.services.retire import end_left_behind
from apps.webhooks.services.take_exams import take_exams


@shared_task(name=wakeups.DELIVER_DUE)
def deliver_due() -> None:
    """Sent by `wakeups.notify`: deliver until nothing is due."""
    wakeups.allow()
    Dispatcher().run()  # the sweep does the same within seconds, and records failures


@shared_task(name="webhooks.sweep")
def sweep() -> Tally:
    """Called by beat: deliver what is due, also where a wake-up was lost, and each retry on its second until the next sweep."""
    dispatcher, tally = Dispatcher(), Tally()
    dispatcher.run(linger=settings.WEBHOOK_SWEEP_SECONDS)
    if dispatcher.failure is not None:
        tally.failed(ITSELF, dispatcher.failure)
    return tally


@shared_task(name="webhooks.advance_recoveries")
def advance() -> Tally:
    """Called by beat: the next deliveries of every recovery under way."""
    tally = Tally()
    advance_recoveries(tally=tally)
    return tally


@shared_task(name=wakeups.TAKE_EXAMS)
def take() -> Tally:
    """Called by beat, and sent when an exam is started: the next cases of every open exam."""
    tally = Tally()
    take_exams(tally=tally)
    return tally


@shared_task(name=wakeups.END_LEFT_BEHIND)
def end_what_was_left_behind() -> None:
    """Called by beat, and sent where an endpoint was deleted or a test environment reset or closed."""
    end_left_behind()


@shared_task(name="webhooks.prune")
def prune_history() -> None:
    """Called by beat: delete what is older than 30 days."""
    prune()


@shared_task(name=wakeups.PRUNE_SANDBOXES)
def prune_moved() -> None:
    """Sent when the clock of a sandbox was moved: its history of 30 days is another one now."""
    prune_sandboxes()
