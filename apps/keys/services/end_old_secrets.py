"""Ends the overlap of a rotation early: from the commit on, only the newest secret of the key is accepted."""

from django.db import transaction
from django.db.models import Max

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.common import clock
from apps.common.errors import InvalidRequest
from apps.keys.models import ApiKey
from apps.keys.services.changes import lock_active_key, record_change


@transaction.atomic
def end_old_secrets(*, key: ApiKey, newest: int | None = None, actor: Actor = SUPPORT) -> int:
    """Returns how many old secrets that still worked have ended now. Where there was none, nothing changes.

    The newest secret stays: no rotation has given it an end. Raises Conflict for a revoked key, InvalidRequest where `newest`,
    the secret that the caller knows as the newest, is an old one by now.
    """
    key = lock_active_key(key)
    now = key.now()
    if newest is not None and key.secrets.latest("created_at", "id").pk != newest:
        raise InvalidRequest.field(
            "newest", "The key was rotated since you looked. Nothing was ended; look again."
        )
    in_overlap = key.secrets.filter(expires_at__gt=now)
    last = in_overlap.aggregate(last=Max("expires_at"))["last"]
    if last is None:
        return 0
    ended = in_overlap.update(expires_at=now)
    told = {"secrets": ended, "wouldHaveEndedAt": clock.rfc3339(last)}
    record_change(key, AuditAction.KEY_OLD_SECRETS_ENDED, actor, **told)
    return ended
