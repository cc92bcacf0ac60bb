"""The audit trail of an account, written in the transaction of the action; and the log of what staff look at across accounts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.accounts.actors import Actor
from apps.accounts.models import Account, AccountAuditEntry, AuditAction, Look, Membership, StaffLook, User
from apps.common import keyset
from apps.common.environments import Environment

MAX_NAME = 2048

PAGE = 50
RECENT_ENTRIES = 50
LONGEST = 500
SECRETS = re.compile(r"\b(svc_(?:test|live)_|whsec_)(\w{0,4})[\w+/=-]*")


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


@dataclass(frozen=True, slots=True)
class Filters:
    actor: str = ""
    """Part of the actor's label."""
    group: str = ""
    environment: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def as_query(self) -> Q:
        query = Q()
        if self.actor:
            query &= Q(actor_label__icontains=self.actor)
        if self.group:
            query &= Q(action__startswith=f"{self.group}.")
        if self.environment:
            query &= Q(environment=self.environment)
        if self.since:
            query &= Q(created_at__gte=self.since)
        if self.until:
            query &= Q(created_at__lt=self.until)
        return query


def trail_of(account_id: str) -> QuerySet[AccountAuditEntry]:
    """Newest first."""
    return AccountAuditEntry.objects.filter(account_id=account_id).order_by("-created_at", "-id")


def recent_entries_about(account_id: str, subject_type: str, subject_id: str) -> list[AccountAuditEntry]:
    """The last things that were done to this subject, newest first. One query."""
    entries = trail_of(account_id).filter(subject_type=subject_type, subject_id=subject_id)
    return list(entries[:RECENT_ENTRIES])


def page_of_trail(
    account_id: str, *, filters: Filters | None = None, cursor: str | None = None, limit: int = PAGE
) -> keyset.Page[AccountAuditEntry]:
    """One page; `cursor` is the one that the page before returned. One query."""
    entries = trail_of(account_id).filter((filters or Filters()).as_query())
    return keyset.page_of(entries, cursor, limit)


def note_look(
    *,
    person: User,
    look: Look,
    what: str = "",
    account: Account | None = None,
    reason: str = "",
    address: str = "",
) -> None:
    StaffLook.objects.create(
        person=person,
        look=look,
        what=as_kept(what),
        account=account,
        reason=reason,
        address=address[:64],
    )


def as_kept(what: str) -> str:
    """Of a secret in `what` only the beginning is kept, by which its key is recognised."""
    return SECRETS.sub(r"\1\2…", what)[:LONGEST].replace("\x00", "")
