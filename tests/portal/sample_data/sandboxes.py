"""Two sandboxes beside the first."""

from apps.accounts.models import Account, User
from apps.onboarding.sandboxes import open_sandbox


def add(account: Account, owner: User) -> dict[str, str]:
    for name in ("CI", "Ada’s own"):
        open_sandbox(account=account, name=name)
    return {}
