"""The row of a test environment, for whoever changes it."""

from apps.accounts.models import FIRST_NAME, Sandbox
from apps.common.errors import Conflict


def lock_sandbox(account_id: str) -> Sandbox:
    """The row of the test environment that is stored under `account_id`, locked; made where the account's first has none yet.

    Call it inside a transaction. Raises Conflict where it was reset or closed meanwhile.
    """
    Sandbox.objects.get_or_create(
        account_id=account_id, defaults={"owner_id": account_id, "name": FIRST_NAME, "is_first": True}
    )
    sandbox = Sandbox.objects.select_for_update(no_key=True).get(account_id=account_id)
    if sandbox.retired_at is not None:
        raise Conflict("This test environment was reset or closed meanwhile.", ours=True)
    return sandbox
