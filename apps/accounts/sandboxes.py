"""The test environments of an account: which are in use, under which account row each is stored, and its lock."""

from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable

from apps.accounts.models import FIRST_NAME, Account, Sandbox
from apps.common.environments import Environment
from apps.common.errors import Conflict, NotFound

STATUS_THERE = """
CASE WHEN account.status = 'active' AND sandbox.stopped_at IS NOT NULL THEN 'read-only' ELSE account.status END
"""
"""The status in an environment. `account` is the partner's row, `sandbox` that of the test environment, where there is one."""


def sandboxes_of(owner_id: str) -> list[Sandbox]:
    """Those in use: the one that the account began with, then the others by name. One query.

    The first has no row until it is reset, renamed, or has its clock or its faults set; until then one that was not saved stands
    for it.
    """
    found = list(Sandbox.objects.filter(owner_id=owner_id, retired_at=None).order_by("-is_first", "name"))
    if not found or not found[0].is_first:
        found.insert(0, Sandbox(account_id=owner_id, owner_id=owner_id, name=FIRST_NAME, is_first=True))
    return found


def sandbox_called(owner_id: str, name: str) -> Sandbox:
    """One in use by its name. Raises NotFound where the account has none of this name."""
    for sandbox in sandboxes_of(owner_id):
        if sandbox.name == name:
            return sandbox
    raise NotFound("There is no such sandbox.")


def rows_of(owner: "str | Combinable") -> QuerySet[Account]:
    """The account's own row, and those of its sandboxes, also of those that were reset or closed."""
    return Account.objects.filter(Q(pk=owner) | Q(sandbox_of=owner)).order_by()


def stored_under(owner_id: str, environment: str) -> str:
    """The id of the account row under which live, or the first test environment, is stored."""
    return owner_id if environment == Environment.LIVE else sandboxes_of(owner_id)[0].account_id


def lock_sandbox(account_id: str) -> Sandbox:
    """The row of the test environment that is stored under `account_id`, locked; made where the account's first has none yet.

    Its account row is locked before it: a process that issues a key there waits, so that a change bypasses each of its keys.
    Call it inside a transaction. Raises Conflict where it was reset or closed meanwhile.
    """
    Account.objects.select_for_update(no_key=True).only("id").get(pk=account_id)
    Sandbox.objects.get_or_create(
        account_id=account_id, defaults={"owner_id": account_id, "name": FIRST_NAME, "is_first": True}
    )
    sandbox = Sandbox.objects.select_for_update(no_key=True).get(account_id=account_id)
    if sandbox.retired_at is not None:
        raise Conflict("This test environment was reset or closed in the meantime.", ours=True)
    return sandbox


def refuse_retired(account_id: str, environment: str) -> None:
    """Raises Conflict where the test environment was reset or closed meanwhile: what is made for it now would never be in use.

    Call it with the account row locked: a reset waits for that lock.
    """
    if (
        environment == Environment.TEST
        and Sandbox.objects.filter(account=account_id, retired_at__isnull=False).exists()
    ):
        raise Conflict("This sandbox was reset or closed in the meantime.", ours=True)


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
