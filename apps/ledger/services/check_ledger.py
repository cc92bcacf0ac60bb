"""Recomputes every stored figure of the ledger from its entries."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection, transaction

from apps.ledger.consistency import QUERIES

CHECK_MINUTES = 30


@dataclass(frozen=True, slots=True)
class Difference:
    """One stored figure that differs from the entries. `check` is the name of the query that found it."""

    check: str
    account_id: str
    environment: str
    subject: str
    stored_cents: int
    derived_cents: int


def check_ledger() -> list[Difference]:
    """All differences; none where the ledger is right. Takes no lock, and is exact while bookings go on."""
    return [difference for check, query in QUERIES.items() for difference in _differences(check, query)]


def _differences(check: str, query: str) -> Iterator[Difference]:
    """What `query` finds. It reads the whole ledger, so it may take longer than a request may."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = '{CHECK_MINUTES}min'")
        cursor.execute(query)
        rows = cursor.fetchall()
    return (Difference(check, *row[:3], *map(int, row[3:])) for row in rows)
