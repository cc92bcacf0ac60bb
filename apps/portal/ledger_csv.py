"""The ledger as a file for a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from apps.common.clock import rfc3339
from apps.common.money import to_major
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
