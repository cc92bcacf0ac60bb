"""Reacts to the moved clock of a test environment."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.dispatch import receiver

from apps.accounts.signals import clock_moved
from apps.common.environments import Environment
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, Endpoint


@receiver(clock_moved)
def pull_deliveries_back(*, account_id: str, advance: timedelta, **_: Any) -> None:
    """Retries come sooner by as much as the clock moved. Endpoints are locked before their deliveries, as everywhere."""
    endpoints = Endpoint.objects.filter(account_id=account_id, environment=Environment.TEST)
    found = list(endpoints.select_for_update(no_key=True).order_by("pk"))
    waiting = Delivery.objects.filter(endpoint__in=found, next_attempt_at__isnull=False)
    waiting.update(next_attempt_at=F("next_attempt_at") - advance)
    transaction.on_commit(wakeups.notify)
    transaction.on_commit(wakeups.forget_in_sandboxes)
