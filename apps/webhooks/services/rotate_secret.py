"""Replace an endpoint's signing secret (specification §3; contract §3, Webhooks)."""

from datetime import timedelta

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.common.clock import rfc3339
from apps.common.encryption import encrypt
from apps.common.errors import InvalidRequest
from apps.webhooks.models import Endpoint
from apps.webhooks.selectors import lock_endpoint
from apps.webhooks.services.audit import record_change
from apps.webhooks.signatures import new_secret

OVERLAP = timedelta(hours=24)


@transaction.atomic
def rotate_secret(
    *, endpoint: Endpoint, immediate: bool = False, actor: Actor = SUPPORT
) -> tuple[Endpoint, str]:
    """Returns the endpoint and its new secret, which is shown this once. For 24 h deliveries are signed with both.

    A second rotation within those hours would cut off a receiver that still knows only the oldest secret:
    InvalidRequest with `safeAfter`. `immediate` is for a leaked secret: allowed at any time, the old ones are
    void at once.
    """
    endpoint = lock_endpoint(endpoint)
    now = endpoint.now()
    window_ends = endpoint.previous_secret_expires_at
    if not immediate and window_ends is not None and window_ends > now:
        safe_after = rfc3339(window_ends)
        raise InvalidRequest(
            f"The secret was rotated less than 24 hours ago; it is safe again after {safe_after}.",
            ours=True,
            safeAfter=safe_after,
        )
    secret = new_secret()
    endpoint.previous_secret_encrypted = "" if immediate else endpoint.secret_encrypted
    endpoint.previous_secret_expires_at = None if immediate else now + OVERLAP
    endpoint.secret_encrypted = encrypt(secret)
    endpoint.updated_at = now
    endpoint.save()
    record_change(endpoint, AuditAction.ENDPOINT_SECRET_ROTATED, actor, immediate=immediate)
    return endpoint, secret
