"""The request log as a CSV file, by the filters of the list."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase

from apps.accounts import clocks
from apps.common import keyset
from apps.common.clock import rfc3339
from apps.gateway.request_log.models import LoggedCall
from apps.gateway.request_log.selectors import calls_of
from apps.portal.csv_files import PAGE_LENGTH, all_rows, csv_answer
from apps.portal.requests.forms import RequestFilters
from apps.portal.requests.views import RequestListView

COLUMNS = (
    *(
        "requestId",
        "createdAt",
        "method",
        "path",
        "operation",
        "status",
        "errorType",
        "durationMs",
        "billable",
    ),
    *("replayed", "keyId", "idempotencyKey", "bookingId", "bookingReference", "clientAddress"),
)


class RequestFileView(RequestListView):
    def get(self, request: HttpRequest) -> HttpResponseBase:  # type: ignore[override]
        portal = self.portal
        form = RequestFilters(request.GET, keys=self.keys())
        filters = form.filters(bookings=self.bookings(form.value("booking")))
        calls = calls_of(portal.account_id, portal.environment, filters)
        rows = all_rows(lambda cursor: keyset.page_of(calls, cursor, PAGE_LENGTH, numbered=True))
        name = f"requests-{portal.environment}-{clocks.now_here().date().isoformat()}"
        back = portal.reverse("requests")
        return csv_answer(request, name, form, COLUMNS, map(row_of, rows), counted=calls, back=back)


def row_of(call: LoggedCall) -> list[Any]:
    return [
        *(
            str(call.request_id),
            rfc3339(call.created_at),
            call.method,
            call.path,
            call.operation,
            call.status,
        ),
        *(call.error_type, round(call.duration_ms, 1), "" if call.billable is None else call.billable),
        *(call.replayed, call.key_id or "", call.idempotency_key, call.booking_id, call.booking_reference),
        call.client_address,
    ]
