"""The billable searches of the last 30 days as a CSV file: what an invoice line traces back to."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse

from apps.gateway.search_quota import usage_since
from apps.portal.balance.views import first_day_of_usage
from apps.portal.base_view import PortalView
from apps.portal.csv_files import csv_file, csv_lines, file_name

COLUMNS = ("date", "keyId", "keyName", "product", "billableSearches")


class UsageFileView(PortalView):
    section = "balance"

    def get(self, request: HttpRequest) -> StreamingHttpResponse:
        portal = self.portal
        used = usage_since(portal.account_id, portal.environment, first_day_of_usage())
        rows: Iterator[list[Any]] = (
            [row.day.isoformat(), row.key_id, row.key.name, row.product, row.billable] for row in used
        )
        return csv_file(csv_lines(COLUMNS, rows), file_name("usage", portal.environment))
