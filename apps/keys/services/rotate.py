"""Rotating a key: it gets a new secret at once, and the old ones get an end soon."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.common import clock
from apps.common.errors import InvalidRequest
from apps.keys.models import ApiKey
from apps.keys.services.changes import (
    add_secret,
    lock_active_key,
    record_change,
    refuse_live_without_approval,
)

DEFAULT_OVERLAP = timedelta(hours=24)
LONGEST_OVERLAP = timedelta(days=30)


@transaction.atomic
def rotate_key(*, key: ApiKey, overlap: timedelta = DEFAULT_OVERLAP, actor: Actor = SUPPORT) -> str:
    """The new secret. Those before it keep working for `overlap`, or less where an earlier rotation said so.

    Raises InvalidRequest for a live key without approval or an overlap that is too long, Conflict for a revoked key.
    """
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise InvalidRequest.field("overlapSeconds", f"An overlap is 0 to {LONGEST_OVERLAP.days} days long.")
    key = lock_active_key(key)
    refuse_live_without_approval(key.account, key.environment)
    ends_at = key.now() + overlap
    key.secrets.filter(Q(expires_at=None) | Q(expires_at__gt=ends_at)).update(expires_at=ends_at)
    secret = add_secret(key)
    record_change(key, AuditAction.KEY_ROTATED, actor, previousSecretsExpireAt=clock.rfc3339(ends_at))
    return secret
