"""Renaming a key."""

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.keys.models import ApiKey
from apps.keys.services.changes import lock_active_key, record_change, validate_name


@transaction.atomic
def rename_key(*, key: ApiKey, name: str, actor: Actor = SUPPORT) -> ApiKey:
    """The key with its new name. Raises InvalidRequest for an unusable name, Conflict for a revoked key."""
    name = validate_name(name)
    key = lock_active_key(key)
    before, key.name = key.name, name
    key.save(update_fields=["name"])
    record_change(key, AuditAction.KEY_RENAMED, actor, before=before, after=name)
    return key
