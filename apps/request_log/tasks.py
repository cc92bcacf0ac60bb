"""Deletes calls after 30 days."""

from datetime import datetime, timedelta

from celery import shared_task

from apps.common import clock, querysets
from apps.request_log.models import CallHour, LoggedCall, LostCalls

RETENTION = timedelta(days=30)
COUNTS_RETENTION = timedelta(days=400)


@shared_task(name="request_log.prune")
def prune_request_log() -> None:
    """Called by beat."""
    prune()


def prune(*, batch: int = querysets.BATCH) -> int:
    """Deletes calls older than 30 days, and counts and losses older than 400 days. Returns how many calls."""
    now = clock.now()
    before = now - COUNTS_RETENTION
    querysets.prune(CallHour.objects.filter(hour__lt=before))
    querysets.prune(LostCalls.objects.filter(noticed_at__lt=before))
    return _prune_calls(now - RETENTION, batch)


def _prune_calls(before: datetime, batch: int) -> int:
    """Walks along the primary key, which grows with time, up to the first batch without an old call: no index of its own."""
    total, last = 0, 0
    while True:
        calls = LoggedCall.objects.filter(pk__gt=last).order_by("pk").values_list("pk", "created_at")[:batch]
        old = [pk for pk, created_at in calls if created_at < before]
        if not old:
            return total
        total += LoggedCall.objects.filter(pk__in=old).delete()[0]
        last = calls[len(calls) - 1][0]
