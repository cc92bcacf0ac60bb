"""Writes the audit trail of an account, in the transaction of the action."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models.expressions import RawSQL

from apps.accounts.actors import Actor
from apps.accounts.models import Account, AccountAuditEntry, AuditAction, Membership, User
from apps.common.environments import Environment

MAX_NAME = 2048


@dataclass(frozen=True, slots=True)
class Subject:
    """What the action was done to: a key, an endpoint, a person. The name is the one it has at the time."""

    type: str
    id: str
    name: str


def record(
    *,
    account: Account | str,
    action: AuditAction,
    actor: Actor,
    subject: Subject | None = None,
    environment: str = "",
    details: Mapping[str, object] | None = None,
) -> AccountAuditEntry:
    """Append to the trail; what is done in a test environment of its own belongs to the trail of its partner.

    `details` are for JSON; they never contain a secret or a traveller.
    """
    return AccountAuditEntry.objects.create(
        account_id=account.shown_id if isinstance(account, Account) else _shown_id(account, environment),
        environment=environment,
        action=action,
        actor=actor.user,
        actor_label=actor.label,
        address=actor.address[:64],
        subject_type=subject.type if subject else "",
        subject_id=subject.id if subject else "",
        subject_name=subject.name[:MAX_NAME] if subject else "",
        details=dict(details or {}),
    )


def _shown_id(account_id: str, environment: str) -> "str | RawSQL":
    """`Account.shown_id` by the id alone, found by the statement that writes the entry."""
    if environment != Environment.TEST:
        return account_id
    partner = "COALESCE((SELECT sandbox_of_id FROM accounts_account WHERE id = %s), %s)"
    return RawSQL(partner, [account_id, account_id])  # noqa: S611 - no word of it comes from outside


def record_of_person(person: User, action: AuditAction, actor: Actor, **details: str) -> None:
    """Append to the trail of every account that `person` belongs to: how people sign in concerns all of them."""
    for account_id in Membership.objects.filter(user=person).values_list("account_id", flat=True):
        record(account=account_id, action=action, actor=actor, details=details)
