"""The test environments of an account: which are in use, and under which account row each is stored."""

from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable

from apps.accounts.models import FIRST_NAME, Account, Sandbox
from apps.common.environments import Environment
from apps.common.errors import NotFound

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
