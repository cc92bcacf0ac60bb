"""The status of an account: what it may do at all (contract §2, step 8)."""

from django.db import transaction

from apps.accounts.actors import AUTOMATIC, SUPPORT, Actor
from apps.accounts.models import Account, AccountStatus, AuditAction, Sandbox
from apps.accounts.services.audit import Subject, record
from apps.accounts.services.change import change
from apps.accounts.services.sandboxes import lock_sandbox
from apps.accounts.signals import sandbox_changed
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest


@transaction.atomic
def set_status(*, account: Account, status: str, actor: Actor = SUPPORT) -> None:
    """Set `active`, `read-only` or `suspended`, in force with the next call; `active` also for its sandboxes that were stopped.

    Raises InvalidRequest for any other.
    """
    if status not in AccountStatus.values:
        raise InvalidRequest.field("status", f"{status!r} is not one of {', '.join(AccountStatus.values)}.")
    account.refresh_from_db(fields=["status"], from_queryset=Account.objects.select_for_update(no_key=True))
    if status == AccountStatus.ACTIVE:
        for sandbox in (
            Sandbox.objects.select_for_update(no_key=True).filter(owner=account).exclude(stopped_at=None)
        ):
            sandbox.stopped_at = None
            sandbox.save(update_fields=["stopped_at"])
            _record_of(sandbox, AuditAction.SANDBOX_STARTED, actor)
    _put(account, account.status, AccountStatus(status), actor)


@transaction.atomic
def stop_sandbox(*, account_id: str) -> bool:
    """Make the test environment that is stored under `account_id` read-only until staff have looked. Live and the account's other
    sandboxes go on. Returns False where it was so already, or is no longer in use.
    """
    try:
        sandbox = lock_sandbox(account_id)
    except Conflict:
        return False
    if sandbox.stopped_at is not None:
        return False
    sandbox.stopped_at = clock.now()
    sandbox.save(update_fields=["stopped_at"])
    sandbox_changed.send(sender=Sandbox, account_id=account_id)
    _record_of(sandbox, AuditAction.SANDBOX_STOPPED, AUTOMATIC)
    return True


@transaction.atomic
def make_read_only(*, account: Account) -> bool:
    """Make an active account read-only until staff have looked. Returns False where it was not active any more."""
    rows = Account.objects.select_for_update(no_key=True)  # bookings under way refer to the row, and go on
    if not rows.filter(id=account.id, status=AccountStatus.ACTIVE).exists():
        return False
    _put(account, AccountStatus.ACTIVE, AccountStatus.READ_ONLY, AUTOMATIC)
    return True


def _put(account: Account, before: str, status: AccountStatus, actor: Actor) -> None:
    change(account, status=status)
    if before != status:
        record(
            account=account,
            action=AuditAction.STATUS_CHANGED,
            actor=actor,
            details={"before": str(before), "after": str(status)},
        )


def _record_of(sandbox: Sandbox, action: AuditAction, actor: Actor) -> None:
    record(
        account=sandbox.owner_id,
        environment=Environment.TEST,
        action=action,
        actor=actor,
        subject=Subject("sandbox", sandbox.account_id, sandbox.name),
    )
