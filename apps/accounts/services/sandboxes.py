"""The row of a test environment, for whoever changes it."""

from apps.accounts.models import FIRST_NAME, Account, Sandbox
from apps.common.environments import Environment
from apps.common.errors import Conflict


def lock_sandbox(account_id: str) -> Sandbox:
    """The row of the test environment that is stored under `account_id`, locked; made where the account's first has none yet.

    Its account row is locked before it: whoever issues a key there waits, so that a change bypasses each of its keys.
    Call it inside a transaction. Raises Conflict where it was reset or closed meanwhile.
    """
    Account.objects.select_for_update(no_key=True).only("id").get(pk=account_id)
    Sandbox.objects.get_or_create(
        account_id=account_id, defaults={"owner_id": account_id, "name": FIRST_NAME, "is_first": True}
    )
    sandbox = Sandbox.objects.select_for_update(no_key=True).get(account_id=account_id)
    if sandbox.retired_at is not None:
        raise Conflict("This test environment was reset or closed meanwhile.", ours=True)
    return sandbox


def refuse_retired(account_id: str, environment: str) -> None:
    """Raises Conflict where the test environment was reset or closed meanwhile: what is made for it now would never be in use.

    Call it with the account row locked: a reset waits for that lock.
    """
    if (
        environment == Environment.TEST
        and Sandbox.objects.filter(account=account_id, retired_at__isnull=False).exists()
    ):
        raise Conflict("This sandbox was reset or closed meanwhile.", ours=True)


def account_name(owner: Account, name: str) -> str:
    """What the back office calls the account row of a sandbox."""
    tail = f" ({name})"
    return owner.name[: 255 - len(tail)] + tail


def name_rows_after(owner: Account) -> None:
    """Rename the account rows of its sandboxes in use, after the account was renamed."""
    apart = Account.objects.filter(sandbox_of=owner, sandbox__retired_at=None).select_related("sandbox")
    for row in apart:
        row.name = account_name(owner, row.sandbox.name)
    Account.objects.bulk_update(apart, ["name"])
