"""The status of an account: what it may do at all (contract §2, step 8)."""

from django.db import transaction

from apps.accounts.actors import AUTOMATIC, SUPPORT, Actor
from apps.accounts.models import Account, AccountStatus, AuditAction
from apps.accounts.services.audit import record
from apps.accounts.services.change import change
from apps.common.errors import InvalidRequest


@transaction.atomic
def set_status(*, account: Account, status: str, actor: Actor = SUPPORT) -> None:
    """Set `active`, `read-only` or `suspended`, in force with the next call. Raises InvalidRequest for any other."""
    if status not in AccountStatus.values:
        raise InvalidRequest.field("status", f"{status!r} is not one of {', '.join(AccountStatus.values)}.")
    account.refresh_from_db(fields=["status"], from_queryset=Account.objects.select_for_update(no_key=True))
    _put(account, account.status, AccountStatus(status), actor)


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
