"""Deletes calls after 30 days."""

from datetime import timedelta

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
    return querysets.prune_by_id(LoggedCall.objects.all(), "created_at", now - RETENTION, batch=batch)
