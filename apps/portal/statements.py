"""Statements of months: the list, one month with its lines, and its files."""

from contextlib import nullcontext

import orjson
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from apps.account_api.presenters import statement_json
from apps.account_api.statement_files import (
    MOST_PRINTED,
    PRODUCTS,
    file_name,
    month_in_words,
    statement_pdf,
    whole_csv,
)
from apps.common import clock, keyset
from apps.common.errors import NotFound, RateLimitExceeded
from apps.common.sql import one_snapshot
from apps.keys.models import ApiKey
from apps.ledger.months import (
    MOST_LINES,
    Month,
    figures_of,
    lines_of,
    month_named,
    months_of,
    statement_of,
)
from apps.ledger.selectors import PAGE
from apps.portal.base import PortalView
from apps.portal.bookings.facts import lines_of as booked_lines
from apps.portal.csv_files import csv_file

MONTHS = 24
"""On one page."""
BUSY = "Too many documents are being made right now. Try again in a few seconds."


class StatementsView(PortalView):
    section = "statements"

    def get(self, request: HttpRequest) -> HttpResponse:
        owner, now = self.portal.stored, clock.now_here()
        cursor = request.GET.get("cursor", "")
        months = [month for month in months_of(*owner, now) if not cursor or month.name < cursor]
        shown = months[:MONTHS]
        rows = [
            {
                "name": month.name,
                "title": month_in_words(month),
                "closed": month.is_closed(now),
                "figures": figures,
            }
            for month, figures in zip(shown, figures_of(*owner, shown, now), strict=True)
        ]
        older = shown[-1].name if len(months) > len(shown) else ""
        return self.render("portal/balance/statements.html", {"rows": rows, "older": older, "cursor": cursor})


class MonthView(PortalView):
    """A page or a file of one month."""

    section = "statements"

    def month(self, name: str) -> Month:
        """Raises Http404 for a month that has no statement."""
        try:
            return month_named(*self.portal.stored, name, clock.now_here())
        except NotFound:
            raise Http404 from None


class StatementView(MonthView):
    def get(self, request: HttpRequest, month: str) -> HttpResponse:
        owner, now, asked = self.portal.stored, clock.now_here(), self.month(month)
        with nullcontext() if asked.is_closed(now) else one_snapshot():
            statement = statement_of(*owner, asked, now)
            cursor = request.GET.get("cursor")
            page = keyset.page_of(lines_of(*owner, asked).reverse(), cursor, PAGE)
        keys = dict(ApiKey.objects.filter(account=owner[0]).values_list("pk", "name"))
        context = {
            "statement": statement,
            "title": month_in_words(asked),
            "now": now,
            "products": [
                (PRODUCTS.get(each.name or "", "No booking"), each) for each in statement.by_product
            ],
            "by_key": [(keys.get(each.name or "", each.name or "No key"), each) for each in statement.by_key],
            "page": page,
            "cursor": cursor,
            "keys": keys,
            "lines": booked_lines(*owner, [line.booking_reference or "" for line in page.rows]),
            "most_printed": MOST_PRINTED,
            "most_lines": MOST_LINES,
        }
        return self.render("portal/balance/statement.html", context)


class StatementFileView(MonthView):
    """The files that `GET /v1/account/statements/{month}` answers."""

    def get(self, request: HttpRequest, month: str, form: str) -> HttpResponseBase:
        owner, now, asked = self.portal.stored, clock.now_here(), self.month(month)
        most = {"json": MOST_LINES, "csv": 0, "pdf": MOST_PRINTED}.get(form)
        if most is None:
            raise Http404
        with nullcontext() if asked.is_closed(now) else one_snapshot():
            statement = statement_of(*owner, asked, now)
            first = list(lines_of(*owner, asked)[:most])
        name = file_name(asked, self.portal.environment)
        if form == "csv":
            return csv_file(whole_csv(owner, statement), name)
        if form == "json":
            content, media = orjson.dumps(statement_json(statement, first)), "application/json"
        else:
            try:
                content, media = statement_pdf(owner, statement, first, now), "application/pdf"
            except RateLimitExceeded:
                messages.warning(request, BUSY)
                return redirect(self.portal.reverse("statement", month=month))
        disposition = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
        return HttpResponse(content, content_type=media, headers=disposition)
