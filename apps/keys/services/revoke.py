"""Revoking a key: from the commit on, no call with any of its secrets is accepted (contract §2, step 4)."""

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.keys.models import ApiKey
from apps.keys.services.changes import lock_key, record_change


@transaction.atomic
def revoke_key(*, key: ApiKey, actor: Actor = SUPPORT) -> ApiKey:
    """The revoked key. Revoking it again changes nothing: the first time counts."""
    key = lock_key(key)
    if key.revoked_at is None:
        key.revoked_at = key.now()
        key.save(update_fields=["revoked_at"])
        record_change(key, AuditAction.KEY_REVOKED, actor)
    return key
