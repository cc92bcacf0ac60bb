"""Renaming a sandbox."""

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import Account, AuditAction, Sandbox
from apps.accounts.services.sandboxes import account_name, lock_sandbox
from apps.onboarding.services.sandboxes.rows import free_name, lock_owner, record


@transaction.atomic
def rename_sandbox(*, sandbox: Sandbox, name: str, actor: Actor = SUPPORT) -> Sandbox:
    """The sandbox with its new name.

    Raises InvalidRequest for a name that is unusable or taken, Conflict where it was reset or closed meanwhile.
    """
    owner = lock_owner(sandbox.owner_id)
    sandbox = lock_sandbox(sandbox.account_id)
    name = free_name(owner, name, but=sandbox)
    before, sandbox.name = sandbox.name, name
    if before != name:
        sandbox.save(update_fields=["name"])
        rows = Account.objects.filter(pk=sandbox.account_id, sandbox_of=owner)
        rows.update(name=account_name(owner, name))
        record(sandbox, AuditAction.SANDBOX_RENAMED, actor, before=before, after=name)
    return sandbox
