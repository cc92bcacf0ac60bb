"""The ledger as a CSV file for a spreadsheet."""

from collections.abc import Iterator
from typing import Any

from apps.common.clock import rfc3339
from apps.common.money import to_major
from apps.ledger.browsing import Filters, page_of_transactions
from apps.ledger.models import LedgerTransaction

COLUMNS = (
    "id",
    "createdAt",
    "type",
    "amount",
    "heldDelta",
    "availableAfter",
    "heldAfter",
    "currency",
    "bookingType",
    "bookingReference",
    "keyId",
    "requestId",
    "description",
)
PAGE_LENGTH = 1_000


def matching_transactions(account_id: str, environment: str, filters: Filters) -> Iterator[LedgerTransaction]:
    """All transactions that match, read in pages of 1,000 with one statement each.

    One cursor for the whole file would break the statement timeout, and a pooler in transaction mode would lose it.
    """
    cursor: str | None = ""
    while cursor is not None:
        page = page_of_transactions(
            account_id, environment, filters=filters, cursor=cursor, limit=PAGE_LENGTH
        )
        yield from page.rows
        cursor = page.older


def row_of(transaction: LedgerTransaction) -> list[Any]:
    """Amounts are in major units, with a decimal point."""
    cents = (
        transaction.amount_cents,
        transaction.held_delta_cents,
        transaction.available_after_cents,
        transaction.held_after_cents,
    )
    return [
        transaction.id,
        rfc3339(transaction.created_at),
        transaction.type,
        *(to_major(each, transaction.currency) for each in cents),
        transaction.currency,
        transaction.booking_type or "",
        transaction.booking_reference or "",
        transaction.key_id or "",
        transaction.request_id or "",
        transaction.description,
    ]
