"""Reacts to the moved clock of a test environment."""

from datetime import timedelta
from typing import Any

from django.db.models import F
from django.dispatch import receiver

from apps.accounts.signals import clock_moved
from apps.common.environments import Environment
from apps.gateway.models import IdempotencyRecord, IdempotencyState


@receiver(clock_moved)
def age_released_keys(*, account_id: str, advance: timedelta, **_: Any) -> None:
    """The 24 h after which an Idempotency-Key that was not answered takes another body: its lease is in real time."""
    released = IdempotencyRecord.objects.filter(
        account_id=account_id, environment=Environment.TEST, state=IdempotencyState.RELEASED
    )
    released.update(lease_until=F("lease_until") - advance)
