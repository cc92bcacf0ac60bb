"""Two saved views of the requests, one of them shared."""

from apps.accounts.models import Account, User
from apps.portal.models import SavedView


def add(account: Account, owner: User) -> dict[str, str]:
    membership = owner.memberships.get(account=account)
    for name, whose in (("Refused for want of funds", membership), ("Errors of a week", None)):
        SavedView.objects.create(
            account=account,
            membership=whose,
            environment="test",
            list="requests",
            name=name,
            query="error_type=insufficient_funds&last=7d" if whose else "last=7d&status=errors",
        )
    return {}
