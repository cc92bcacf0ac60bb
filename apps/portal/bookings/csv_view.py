"""The bookings as a CSV file, by the filters of the list."""

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from apps.bookings.browsing import LISTED, page_of_bookings, selected
from apps.bookings.models import Booking
from apps.common.clock import rfc3339
from apps.common.money import to_major
from apps.portal.bookings.forms import BookingFilters
from apps.portal.bookings.views import products_to_choose
from apps.portal.csv_files import CsvFileView, CsvSource

COLUMNS = (
    *("id", "reference", "externalReference", "product", "status", "total", "currency", "penalty", "refund"),
    *("supplier", "supplierReference", "keyId", "requestId", "createdAt", "updatedAt"),
)

WRITTEN = (
    *LISTED,
    *("cancellation", "supplier_name", "supplier_reference", "key_id", "request_id", "updated_at"),
)
"""The columns of a booking that a line is made of."""


class BookingFileView(CsvFileView):
    section = list_name = page_name = "bookings"

    def source(self, given: QueryDict) -> tuple[BookingFilters, CsvSource]:
        account_id, environment = self.portal.account_id, self.portal.environment
        form = BookingFilters(given, products=products_to_choose(account_id, environment))
        filters = form.filters()

        def page_of(cursor: str | None, length: int) -> tuple[Sequence[Booking], str | None]:
            page = page_of_bookings(
                account_id, environment, filters=filters, cursor=cursor, limit=length, columns=WRITTEN
            )
            return page.rows, page.older

        return form, CsvSource(COLUMNS, page_of, row_of, counted=selected(account_id, environment, filters))


def row_of(booking: Booking) -> list[Any]:
    cancelled = booking.cancellation or {}
    costs = [cancelled.get(name) for name in ("penaltyCents", "refundCents")]
    return [
        *(booking.pk, booking.reference, booking.external_reference or "", booking.product, booking.status),
        *(to_major(booking.total_cents, booking.currency), booking.currency),
        *("" if cents is None else to_major(cents, booking.currency) for cents in costs),
        *(booking.supplier_name, booking.supplier_reference, booking.key_id, booking.request_id),
        *(rfc3339(booking.created_at), rfc3339(booking.updated_at)),
    ]
