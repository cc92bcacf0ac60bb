"""The money: what is available and held, every line of the ledger with its cause, and the searches that were billable."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.safestring import SafeString

from apps.common import clock
from apps.gateway.search_quota import usage_since
from apps.ledger.browsing import page_of_transactions
from apps.ledger.selectors import Close, balance_of, closing_balances
from apps.portal.charts import steps
from apps.portal.forms.ledger import LedgerFilters
from apps.portal.ledger_csv import all_of, lines
from apps.portal.place import PortalView
from apps.portal.templatetags.portal import amount

DAYS = 30


class Balance(PortalView):
    section = "balance"

    def get(self, request: HttpRequest) -> HttpResponse:
        place, cursor = self.place, request.GET.get("cursor") or None
        form = LedgerFilters(request.GET)
        form.is_valid()
        page = page_of_transactions(
            place.account.pk, place.environment, filters=form.filters(), cursor=cursor
        )
        balance = balance_of(place.account.pk, place.environment)
        return self.render(
            "portal/balance/index.html",
            {
                "balance": balance,
                "chart": self.chart(balance.currency),
                "form": form,
                "page": page,
                "cursor": cursor,
                "narrowed": form.is_narrowed,
                "keys": dict(place.account.keys.values_list("pk", "name")),
            },
        )

    def chart(self, currency: str) -> SafeString | None:
        """The last 30 days; None where nothing ever moved."""
        now = clock.now()
        begins = now - timedelta(days=DAYS)
        closes = closing_balances(self.place.account.pk, self.place.environment, since=begins)
        if not closes:
            return None
        last = closes[-1]
        # Before its first step a wallet is empty; after its last one it stays as it is.
        points = [
            (begins, Close(begins, 0, 0)),
            *((max(close.at, begins), close) for close in closes),
            (now, last),
        ]
        return steps(
            {
                "Available": [(at, close.available_cents) for at, close in points],
                "Held": [(at, close.held_cents) for at, close in points],
            },
            says=f"Available and held over {DAYS} days, now {amount(last.available_cents, currency)} and "
            f"{amount(last.held_cents, currency)} {currency}",
            write=lambda cents: amount(round(cents), currency),
            wide=True,
        )


class LedgerFile(PortalView):
    section = "balance"

    def get(self, request: HttpRequest) -> StreamingHttpResponse:
        place = self.place
        form = LedgerFilters(request.GET)
        form.is_valid()
        transactions = all_of(place.account.pk, place.environment, form.filters())
        response = StreamingHttpResponse(lines(transactions), content_type="text/csv")
        name = f"ledger-{place.environment}-{clock.today().isoformat()}.csv"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response


class Usage(PortalView):
    section = "balance"

    def get(self, request: HttpRequest) -> HttpResponse:
        rows = usage_since(
            self.place.account.pk, self.place.environment, clock.today() - timedelta(days=DAYS - 1)
        )
        return self.render("portal/balance/usage.html", {"days": DAYS, **by_key_and_day(rows)})


def by_key_and_day(rows: Any) -> dict[str, Any]:
    """One line a day and key, the products side by side."""
    table: dict[tuple[Any, str], dict[str, Any]] = {}
    for row in rows:
        line = table.setdefault(
            (row.day, row.key_id), {"day": row.day, "key": row.key, "hotels": 0, "flights": 0, "transfers": 0}
        )
        line[row.product] = row.billable
    lines_ = list(table.values())
    for line in lines_:
        line["total"] = line["hotels"] + line["flights"] + line["transfers"]
    return {"lines": lines_, "total": sum(line["total"] for line in lines_)}
