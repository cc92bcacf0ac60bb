"""The ledger as a CSV file for a spreadsheet."""

from functools import partial
from typing import Any

from django.http import QueryDict

from apps.common import keyset
from apps.common.clock import rfc3339
from apps.common.money import to_major
from apps.ledger.browsing import narrowed
from apps.ledger.models import LedgerTransaction
from apps.portal.balance.forms import LedgerFilters
from apps.portal.csv_files import CsvFileView, CsvSource

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


class LedgerFileView(CsvFileView):
    section = page_name = "balance"
    list_name = "ledger"

    def source(self, given: QueryDict) -> tuple[LedgerFilters, CsvSource]:
        form = LedgerFilters(given)
        transactions = narrowed(self.portal.account_id, self.portal.environment, form.filters())
        return form, CsvSource(COLUMNS, partial(keyset.page_of, transactions), row_of, counted=transactions)


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
