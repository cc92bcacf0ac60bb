"""The bookings as a CSV file, by the filters of the list."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from apps.accounts import clocks
from apps.bookings.browsing import page_of_bookings, selected
from apps.bookings.models import Booking
from apps.common.clock import rfc3339
from apps.common.money import to_major
from apps.portal.base_view import PortalView
from apps.portal.bookings.forms import BookingFilters
from apps.portal.bookings.views import products_to_choose
from apps.portal.csv_files import PAGE_LENGTH, all_rows, csv_answer

COLUMNS = (
    *("id", "reference", "externalReference", "product", "status", "total", "currency", "penalty", "refund"),
    *("supplier", "supplierReference", "keyId", "requestId", "createdAt", "updatedAt"),
)


class BookingFileView(PortalView):
    section = "bookings"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        account_id, environment = self.portal.account_id, self.portal.environment
        form = BookingFilters(request.GET, products=products_to_choose(account_id, environment))
        filters = form.filters()

        def page_of(cursor: str | None) -> tuple[Sequence[Booking], str | None]:
            page = page_of_bookings(
                account_id, environment, filters=filters, cursor=cursor, limit=PAGE_LENGTH
            )
            return page.bookings, page.older

        name = f"bookings-{environment}-{clocks.now_here().date().isoformat()}"
        counted, back = selected(account_id, environment, filters), self.portal.reverse("bookings")
        rows = map(row_of, all_rows(page_of))
        return csv_answer(request, name, form, COLUMNS, rows, counted=counted, back=back)


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
