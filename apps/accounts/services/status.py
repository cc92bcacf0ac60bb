"""What an account may do at all: its status (contract §2, step 8)."""

from apps.accounts.models import Account, AccountStatus
from apps.accounts.services.change import change
from apps.gateway.errors import InvalidRequest


def set_status(*, account: Account, status: str) -> None:
    """`active`, `read-only` or `suspended`, in force with the next call; else InvalidRequest."""
    if status not in AccountStatus.values:
        raise InvalidRequest.field("status", f"{status!r} is not one of {', '.join(AccountStatus.values)}.")
    change(account, status=AccountStatus(status))
