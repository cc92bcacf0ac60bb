"""The balance: what is available and held, every ledger entry with its cause, and the billable searches."""

from datetime import date, datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from apps.accounts import clocks
from apps.common import clock, zones
from apps.common.snapshot import one_snapshot
from apps.gateway import search_quota
from apps.gateway.models import SearchUsage
from apps.gateway.request_log.selectors import hourly_counts
from apps.gateway.search_quota import usage_since
from apps.keys.models import ApiKey
from apps.keys.offered import is_sold
from apps.ledger.browsing import page_of_transactions
from apps.ledger.outlook import outlook_of
from apps.ledger.selectors import Close, closing_balances
from apps.portal.balance.forms import LedgerFilters
from apps.portal.balance.words import runway_words
from apps.portal.base_view import PortalView
from apps.portal.charts import Line, Point, plot
from apps.portal.context import DEVELOPERS, FINANCE
from apps.portal.home.quota import WEEK_HOURS, used_up_at
from apps.portal.list_view import ListView
from apps.portal.sandbox.forms import FundsForm
from apps.portal.templatetags.portal import amount

DAYS = 30


class BalanceView(ListView):
    list_name = "ledger"
    section = "balance"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, form = self.portal, LedgerFilters(request.GET)
        with one_snapshot():
            page = page_of_transactions(
                portal.account_id, portal.environment, filters=form.filters(), cursor=self.cursor
            )
            outlook = outlook_of(
                portal.account_id,
                portal.environment,
                clocks.now_here(),
                currency=portal.account.currency,
                held_for=timedelta(days=1),
            )
            balance = outlook.balance
            chart = self.chart(balance.currency)
        keys = dict(ApiKey.objects.filter(account=portal.account_id).values_list("pk", "name"))
        return self.render_list(
            "portal/balance/index.html",
            form,
            page,
            balance=balance,
            outlook=outlook,
            runway=runway_words(outlook),
            may_warn=portal.has_role(FINANCE),
            chart=chart,
            keys=keys,
            funds_form=None if portal.is_live else FundsForm(currency=balance.currency),
            may_change=portal.has_role(DEVELOPERS),
        )

    def chart(self, currency: str) -> SafeString | None:
        """The last 30 days; None for a wallet without entries."""
        now = clocks.now_here()
        begins = now - timedelta(days=DAYS)
        closes = closing_balances(self.portal.account_id, self.portal.environment, since=begins)
        if not closes:
            return None
        last = closes[-1]
        # A wallet is empty before its first entry, and keeps its balance after the last one.
        closes = [
            Close(begins, 0, 0),
            *(Close(max(close.at, begins), close.available_cents, close.held_cents) for close in closes),
            Close(now, last.available_cents, last.held_cents),
        ]
        points = [
            Point((close.at - begins) / (now - begins), zones.day_and_time(close.at), day_of(close.at))
            for close in closes
        ]
        return plot(
            points,
            [
                Line("Available", [close.available_cents for close in closes]),
                Line("Held", [close.held_cents for close in closes]),
            ],
            says=f"Available and held over {DAYS} days, now {amount(last.available_cents, currency)} and "
            f"{amount(last.held_cents, currency)} {currency}",
            of="After the last entry of a day",
            write=lambda cents: amount(round(cents), currency),
            held=True,
        )


def day_of(instant: datetime) -> str:
    here = zones.local(instant)
    return f"{here.day} {here:%b}"


class UsageView(PortalView):
    section = "balance"

    def get(self, request: HttpRequest) -> HttpResponse:
        rows = usage_since(
            self.portal.account_id,
            self.portal.environment,
            first_day_of_usage(),
        )
        return self.render(
            "portal/balance/usage.html", {"days": DAYS, **self.today(), **by_key_and_day(list(rows))}
        )

    def today(self) -> dict[str, Any]:
        """The quota of the day, and when it will be used up."""
        portal = self.portal
        quota = search_quota.read_for(portal.account, portal.environment, portal.account_id)
        used_up = None
        if not portal.place.clock_offset:  # calls are logged in real time
            hours = hourly_counts(portal.account_id, portal.environment, hours=WEEK_HOURS)
            used_up = used_up_at(quota, hours, clock.now())
        return {"quota": quota, "used_up_at": used_up, "foretells": not portal.place.clock_offset}


def first_day_of_usage() -> date:
    return clocks.now_here().date() - timedelta(days=DAYS - 1)


SEARCHED = {"hotels": "Hotels", "flights": "Flights", "transfers": "Transfers"}
"""The products whose searches count."""


def by_key_and_day(rows: list[SearchUsage]) -> dict[str, Any]:
    """One line for each day and key, with a column for each product that is sold or was searched for."""
    searched = {row.product for row in rows}
    products = {name: title for name, title in SEARCHED.items() if is_sold(name) or name in searched}
    table: dict[tuple[Any, str], dict[str, int]] = {}
    keys = {row.key_id: row.key for row in rows}
    for row in rows:
        counts = table.setdefault((row.day, row.key_id), dict.fromkeys(products, 0))
        counts[row.product] = row.billable
    lines = [
        {
            "day": day,
            "key": keys[key_id],
            "counts": [(products[name], count) for name, count in counts.items()],
            "total": sum(counts.values()),
        }
        for (day, key_id), counts in table.items()
    ]
    return {
        "lines": lines,
        "products": products.values(),
        "total": sum(sum(c.values()) for c in table.values()),
    }
