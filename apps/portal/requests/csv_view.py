"""The request log as a CSV file, by the filters of the list."""

from functools import partial
from typing import Any

from django.http import QueryDict

from apps.common import keyset
from apps.common.clock import rfc3339
from apps.gateway.request_log.models import LoggedCall
from apps.gateway.request_log.selectors import calls_of
from apps.portal.csv_files import CsvFileView, CsvSource
from apps.portal.requests.forms import RequestFilters
from apps.portal.requests.views import bookings_named, keys_to_offer

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


class RequestFileView(CsvFileView):
    section = list_name = page_name = "requests"
    by_real_clock = True

    def source(self, given: QueryDict) -> tuple[RequestFilters, CsvSource]:
        account_id, environment = self.portal.account_id, self.portal.environment
        form = RequestFilters(given, keys=keys_to_offer(account_id, environment, given.get("key")))
        filters = form.filters(bookings=bookings_named(account_id, environment, form.value("booking")))
        calls = calls_of(account_id, environment, filters)
        pages = partial(keyset.page_of, calls, numbered=True)
        return form, CsvSource(COLUMNS, pages, row_of, counted=calls)


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
