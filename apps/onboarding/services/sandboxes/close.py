"""Closing a sandbox: nothing opens it any more, and nothing in it is deleted."""

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction, Sandbox
from apps.accounts.services.sandboxes import lock_sandbox
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict
from apps.keys.models import ApiKey
from apps.keys.services.revoke import revoke_key
from apps.onboarding.services.sandboxes.rows import lock_owner, record
from apps.webhooks.services.retire import end_deliveries


@transaction.atomic
def close_sandbox(*, sandbox: Sandbox, actor: Actor = SUPPORT) -> None:
    """Revoke its keys, end its unfinished deliveries and send nothing more of it.

    Raises Conflict for the one that the account began with, and where it was reset or closed meanwhile.
    """
    lock_owner(sandbox.owner_id)
    sandbox = lock_sandbox(sandbox.account_id)
    if sandbox.is_first:
        raise Conflict("The first sandbox of an account stays. Reset it to empty it.")
    sandbox.retired_at = clock.now()
    sandbox.save(update_fields=["retired_at"])
    keys = ApiKey.objects.filter(account=sandbox.account_id, environment=Environment.TEST, revoked_at=None)
    for key in keys.order_by("pk"):
        revoke_key(key=key, actor=actor)
    end_deliveries(account_id=sandbox.account_id)
    record(sandbox, AuditAction.SANDBOX_CLOSED, actor)
