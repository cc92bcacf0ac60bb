"""The audit trail of an account in pages for the portal, and of one thing of it, such as a key."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from apps.accounts.models import AccountAuditEntry
from apps.common import keyset

PAGE = 50
RECENT_ENTRIES = 50


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
    return keyset.Page(*keyset.page_of(entries, cursor, limit))
