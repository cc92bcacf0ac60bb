"""The billable searches of the last 30 days as a CSV file: what an invoice line traces back to."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse

from apps.accounts import clocks
from apps.gateway.search_quota import usage_since
from apps.portal.balance.views import first_day_of_usage
from apps.portal.base_view import PortalView
from apps.portal.csv_files import csv_lines

COLUMNS = ("date", "keyId", "keyName", "product", "billableSearches")


class UsageFileView(PortalView):
    section = "balance"

    def get(self, request: HttpRequest) -> StreamingHttpResponse:
        portal = self.portal
        used = usage_since(portal.account_id, portal.environment, first_day_of_usage())
        rows: Iterator[list[Any]] = (
            [row.day.isoformat(), row.key_id, row.key.name, row.product, row.billable] for row in used
        )
        response = StreamingHttpResponse(csv_lines(COLUMNS, rows), content_type="text/csv")
        name = f"usage-{portal.environment}-{clocks.now_here().date().isoformat()}.csv"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response
