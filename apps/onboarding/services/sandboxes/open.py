"""Opening a sandbox: one more test environment of an account, with keys, wallet, endpoints, clock and faults of its own."""

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import MAX_SANDBOXES, Account, AuditAction, Sandbox
from apps.accounts.selectors.sandboxes import sandboxes_of
from apps.common.errors import Conflict
from apps.onboarding.services.sandboxes.rows import free_name, lock_owner, open_row, record


@transaction.atomic
def open_sandbox(*, account: Account, name: str, actor: Actor = SUPPORT) -> Sandbox:
    """A new one, empty but for what every test wallet opens with.

    Raises InvalidRequest for a name that is unusable or taken, Conflict for an eleventh in use, RateLimitExceeded for
    the 201st of a UTC day, resets included.
    """
    owner = lock_owner(account.pk)
    name = free_name(owner, name)
    if len(sandboxes_of(owner.pk)) >= MAX_SANDBOXES:
        raise Conflict(f"An account has at most {MAX_SANDBOXES} sandboxes at a time. Close one first.")
    sandbox = open_row(owner, name, is_first=False)
    record(sandbox, AuditAction.SANDBOX_OPENED, actor)
    return sandbox
