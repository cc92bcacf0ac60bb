"""The ledger as a file for a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator
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
AT_ONCE = 1_000
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Echo:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


def lines(transactions: Iterable[LedgerTransaction]) -> Iterator[str]:
    """Amounts in major units, with a point."""
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for transaction in transactions:
        yield writer.writerow(row_of(transaction))


def all_of(account_id: str, environment: str, filters: Filters) -> Iterator[LedgerTransaction]:
    """Page after page, each a statement of its own: a cursor held for the whole file would have to be ready within one
    statement's time, and a pooler that parts connections by transaction would lose it.
    """
    cursor: str | None = ""
    while cursor is not None:
        page = page_of_transactions(account_id, environment, filters=filters, cursor=cursor, limit=AT_ONCE)
        yield from page.transactions
        cursor = page.older


def row_of(transaction: LedgerTransaction) -> list[Any]:
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
        harmless(transaction.description),
    ]


def harmless(text: str) -> str:
    """What a spreadsheet would take for a formula is text."""
    return f"'{text}" if text.startswith(FORMULA) else text
