"""What an account may do at all: its status (contract §2, step 8)."""

from django.db import transaction

from apps.accounts.models import Account, AccountStatus
from apps.accounts.services.change import change
from apps.gateway.errors import InvalidRequest


def set_status(*, account: Account, status: str) -> None:
    """`active`, `read-only` or `suspended`, in force with the next call; else InvalidRequest."""
    if status not in AccountStatus.values:
        raise InvalidRequest.field("status", f"{status!r} is not one of {', '.join(AccountStatus.values)}.")
    change(account, status=AccountStatus(status))


@transaction.atomic
def make_read_only(*, account: Account) -> bool:
    """Stop an active account from trading until staff has looked; False where it was not active any more."""
    still_active = Account.objects.select_for_update().filter(id=account.id, status=AccountStatus.ACTIVE)
    if not still_active.exists():
        return False
    change(account, status=AccountStatus.READ_ONLY)
    return True
