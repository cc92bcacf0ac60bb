"""Reacts to the moved clock of a test environment."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.dispatch import receiver

from apps.accounts.signals import clock_moved
from apps.common.environments import Environment
from apps.webhooks import wakeups
from apps.webhooks.models import Endpoint


@receiver(clock_moved)
def pull_deliveries_back(*, account_id: str, advance: timedelta, **_: Any) -> None:
    """Retries become due sooner by as much as the clock moved: the schedule of each endpoint moves, however many wait there."""
    endpoints = Endpoint.objects.filter(account_id=account_id, environment=Environment.TEST, deleted_at=None)
    locked = endpoints.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    Endpoint.objects.filter(pk__in=list(locked)).update(
        schedule_ahead=F("schedule_ahead") + advance, due_from=F("due_from") - advance
    )
    transaction.on_commit(wakeups.notify)
    transaction.on_commit(wakeups.forget_in_sandboxes)
