"""Changing the addresses a key may be used from."""

from collections.abc import Iterable

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.models import ApiKey
from apps.keys.services.changes import lock_active_key, record_change


@transaction.atomic
def change_allowed_ips(*, key: ApiKey, allowed_ips: Iterable[str], actor: Actor = SUPPORT) -> ApiKey:
    """The key with its new list, in force with the next call.

    Raises InvalidRequest for an unusable list, Conflict for a revoked key.
    """
    parsed = parse_allowed_ips(allowed_ips)
    key = lock_active_key(key)
    before, key.allowed_ips = key.allowed_ips, parsed
    key.save(update_fields=["allowed_ips"])
    record_change(key, AuditAction.KEY_ALLOWED_IPS_CHANGED, actor, before=before, after=parsed)
    return key
