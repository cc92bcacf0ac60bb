"""The ledger for the portal, with filters: newest first, in keyset pages."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from apps.common import keyset
from apps.common.querysets import reference_begins
from apps.ledger.models import LedgerTransaction
from apps.ledger.selectors import ledger_of

PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """`since` is included, `until` is not; `booking_reference` is a reference or its beginning."""

    type: str = ""
    booking_reference: str = ""
    since: datetime | None = None
    until: datetime | None = None


def narrowed(account_id: str, environment: str, filters: Filters) -> QuerySet[LedgerTransaction]:
    transactions = ledger_of(account_id, environment)
    if filters.type:
        transactions = transactions.filter(type=filters.type)
    if filters.booking_reference:
        transactions = transactions.filter(reference_begins("booking_reference", filters.booking_reference))
    if filters.since:
        transactions = transactions.filter(created_at__gte=filters.since)
    if filters.until:
        transactions = transactions.filter(created_at__lt=filters.until)
    return transactions


def page_of_transactions(
    account_id: str, environment: str, *, filters: Filters, cursor: str | None = None, limit: int = PAGE
) -> keyset.Page[LedgerTransaction]:
    """One page, in one statement. A cursor that is none of ours shows the first page."""
    return keyset.Page(*keyset.page_of(narrowed(account_id, environment, filters), cursor, limit))
