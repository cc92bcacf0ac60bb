"""The balance: what is available and held, every ledger entry with its cause, and the billable searches."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString

from apps.common import clock, keyset, zones
from apps.common.clock import rfc3339
from apps.common.forms import MoneyField
from apps.common.money import in_words, to_major
from apps.common.sql import one_snapshot
from apps.gateway import search_quota
from apps.gateway.models import SearchUsage
from apps.gateway.search_quota import usage_since
from apps.keys.models import ApiKey
from apps.keys.scopes import is_sold
from apps.ledger.models import MOST_CENTS, LedgerTransaction, TransactionType, Wallet
from apps.ledger.money import warn_below
from apps.ledger.runway import WEEK_HOURS, Outlook, outlook_of
from apps.ledger.selectors import (
    Close,
    Filters,
    closing_balances,
    narrowed,
    page_of_groups,
    page_of_transactions,
)
from apps.portal.base import PortalView
from apps.portal.bookings.facts import lines_of
from apps.portal.charts import Line, Point, plot, stacks
from apps.portal.context import FINANCE, PortalContext
from apps.portal.csv_files import CsvFileView, CsvSource, csv_file, csv_lines, file_name
from apps.portal.forms import FormView
from apps.portal.lists import ListFilters, ListView, any_or
from apps.portal.quota import QUOTA_HOURS, used_up_at
from apps.portal.sandbox import FundsForm
from apps.portal.templatetags.portal import amount
from apps.request_log.selectors import hourly_counts

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SOON = timedelta(days=3)
"""A runway this short is a notice on Home."""


def runway_words(outlook: Outlook) -> str:
    """`about 2 days at this week's pace; likely empty by Saturday 14:00 UTC`. Empty if nothing is foretold."""
    runway = outlook.runway
    if runway is None:
        return ""
    is_young = len(outlook.spending.active().hours) < WEEK_HOURS
    pace = "at the pace so far" if is_young else "at this week's pace"
    if runway.first_refusal_at is None:
        return f"more than 30 days {pace}"
    left = runway.first_refusal_at - outlook.now
    return f"{about(left)} {pace}; likely empty by {day_words(runway.first_refusal_at, outlook.now)}"


def is_short(outlook: Outlook) -> bool:
    runway = outlook.runway
    return (
        runway is not None
        and runway.first_refusal_at is not None
        and runway.first_refusal_at - outlook.now <= SOON
    )


def about(length: timedelta) -> str:
    """`about 14 hours`, `about 2 days`: rounded, as exactly as it is known."""
    if length < HOUR:
        return "less than an hour"
    size, unit = (HOUR, "hour") if length < 1.5 * DAY else (DAY, "day")
    count = round(length / size)
    return f"about {count} {unit}{'' if count == 1 else 's'}"


def day_words(instant: datetime, now: datetime) -> str:
    """`today 14:00 UTC`, `Saturday 14:00 UTC` within the week, else `5 Dec`: to the hour, which is as much as is known.

    In the reader's zone.
    """
    hour = zones.local(instant + HOUR / 2)
    hour = hour.replace(minute=0, second=0, microsecond=0)
    days = (hour.date() - zones.local(now).date()).days
    if days == 0:
        return f"today {zones.clock_words(hour)}"
    return f"{hour:%A} {zones.clock_words(hour)}" if days < 7 else f"{hour.day} {hour:%b}"


BY_BOOKING, BY_ENTRY = "booking", "entry"
GROUPINGS = {BY_BOOKING: "By booking", BY_ENTRY: "By entry"}


class LedgerFilters(ListFilters):
    field_order = ["type", "booking"]
    usual_grouping = BY_BOOKING

    by = forms.ChoiceField(choices=[("", ""), *GROUPINGS.items()], required=False, widget=forms.HiddenInput)

    type = forms.ChoiceField(choices=any_or(TransactionType.choices), required=False)
    booking = forms.CharField(label="Booking reference", required=False, max_length=32)

    @property
    def groupings(self) -> list[tuple[str, str, bool]]:
        """Value in the address, words, and whether it is chosen."""
        return [
            ("" if value == self.usual_grouping else value, words, value == self.grouping)
            for value, words in GROUPINGS.items()
        ]

    @property
    def grouping(self) -> str:
        return self.value("by") or self.usual_grouping

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields if name != "by")

    def filters(self) -> Filters:
        return Filters(
            type=self.value("type"),
            booking_reference=self.value("booking"),
            since=self.begins,
            until=self.ends,
        )


class EntryFilters(LedgerFilters):
    usual_grouping = BY_ENTRY


def page_of_ledger(
    portal: PortalContext, form: LedgerFilters, cursor: str | None
) -> keyset.Page[LedgerTransaction]:
    """Call it in one snapshot: see page_of_groups."""
    read = page_of_groups if form.grouping == BY_BOOKING else page_of_transactions
    return read(*portal.stored, filters=form.filters(), cursor=cursor)


class WarningForm(forms.Form):
    """From which balance on to warn. An empty amount warns never."""

    amount = forms.DecimalField(localize=False)

    def __init__(self, data: Any = None, *, currency: str, cents: int | None = None) -> None:
        super().__init__(data)
        self.fields["amount"] = MoneyField(
            label=f"Warn below, in {currency}",
            required=False,
            currency=currency,
            most_cents=MOST_CENTS,
            cents=cents,
            help_text="Leave it empty for no warning.",
        )


DAYS = 30


class BalanceView(ListView):
    form_class = LedgerFilters
    list_name = "ledger"
    section = "balance"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, form = self.portal, LedgerFilters(request.GET)
        with one_snapshot():
            page = page_of_ledger(portal, form, self.cursor)
            outlook = outlook_of(
                *portal.stored,
                clock.now_here(),
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
            lines=lines_of(*portal.stored, [line.booking_reference or "" for line in page.rows]),
            funds_form=None if portal.is_live else FundsForm(currency=balance.currency),
        )

    def chart(self, currency: str) -> SafeString | None:
        """The last 30 days; None for a wallet without entries."""
        now = clock.now_here()
        begins = now - timedelta(days=DAYS)
        closes = closing_balances(*self.portal.stored, since=begins)
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


class LedgerView(ListView):
    """Every line, for who looks for one: the balance without its chart and forecast is one list."""

    form_class = EntryFilters
    section = list_name = "ledger"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, form = self.portal, EntryFilters(request.GET)
        with one_snapshot():
            page = page_of_ledger(portal, form, self.cursor)
        keys = dict(ApiKey.objects.filter(account=portal.account_id).values_list("pk", "name"))
        lines = lines_of(*portal.stored, [line.booking_reference or "" for line in page.rows])
        return self.render_list("portal/balance/ledger.html", form, page, keys=keys, lines=lines)


class UsageView(PortalView):
    section = "usage"

    def get(self, request: HttpRequest) -> HttpResponse:
        rows = list(usage_since(*self.portal.stored, first_day_of_usage()))
        shown = {**self.today(), **by_key_and_day(rows), "chart": chart_of_usage(rows)}
        return self.render("portal/balance/usage.html", {"days": DAYS, **shown})

    def today(self) -> dict[str, Any]:
        portal = self.portal
        quota = search_quota.read_for(
            portal.account, portal.environment, clock.now_here().date(), portal.account_id
        )
        used_up = None
        if not portal.place.clock_offset:  # calls are logged in real time
            hours = hourly_counts(*portal.stored, hours=QUOTA_HOURS)
            used_up = used_up_at(quota, hours, clock.now())
        return {"quota": quota, "used_up_at": used_up, "foretells": not portal.place.clock_offset}


def first_day_of_usage() -> date:
    return clock.now_here().date() - timedelta(days=DAYS - 1)


def products_in(rows: Sequence[SearchUsage]) -> dict[str, str]:
    """Each product that is sold or was searched for, with its title."""
    searched = {row.product for row in rows}
    return {name: title for name, title in SEARCHED.items() if is_sold(name) or name in searched}


def chart_of_usage(rows: Sequence[SearchUsage]) -> SafeString | None:
    """A bar for each of the last days, with a part for each product; None without a search."""
    if not rows:
        return None
    first = first_day_of_usage()
    days = [first + timedelta(days=number) for number in range(DAYS)]
    counts = Counter[tuple[str, date]]()
    for row in rows:
        counts[row.product, row.day] += row.billable
    return stacks(
        [(f"{day.day} {day:%b %Y}", f"{day.day} {day:%b}") for day in days],
        [Line(title, [counts[name, day] for day in days]) for name, title in products_in(rows).items()],
        says=f"{sum(counts.values()):,} billable searches of the last {DAYS} days by UTC day and product",
        of="Day",
    )


SEARCHED = {"hotels": "Hotels", "flights": "Flights", "transfers": "Transfers"}


def by_key_and_day(rows: list[SearchUsage]) -> dict[str, Any]:
    """One line for each day and key, with a column for each product that is sold or was searched for."""
    products = products_in(rows)
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
        "totals": [
            (title, sum(counts[name] for counts in table.values())) for name, title in products.items()
        ],
        "total": sum(sum(c.values()) for c in table.values()),
    }


class BalanceWarningView(FormView):
    section = "balance"
    allowed_roles = allowed_roles_to_post = FINANCE
    template, form_class = "portal/balance/warning.html", WarningForm
    error_fields = {"warnBelowCents": "amount"}

    def form(self, data: Any = None) -> WarningForm:
        wallets = Wallet.objects.filter(
            account_id=self.portal.account_id, environment=self.portal.environment
        )
        cents = wallets.values_list("warn_below_cents", flat=True).first()
        return WarningForm(data, currency=self.portal.account.currency, cents=cents)

    def save(self, form: WarningForm) -> HttpResponse:
        portal, cents = self.portal, form.cleaned_data["amount"]
        warn_below(
            account_id=portal.account_id, environment=portal.environment, cents=cents, actor=self.actor
        )
        below = "" if cents is None else in_words(cents, portal.account.currency)
        said = (
            f"Home warns and owners are mailed when less than {below} is available."
            if below
            else "There is no such warning any more."
        )
        messages.success(self.request, said)
        return redirect(portal.reverse("balance"))


LEDGER_COLUMNS = (
    *("id", "createdAt", "type", "amount", "heldDelta", "availableAfter", "heldAfter", "currency"),
    *("bookingType", "bookingReference", "keyId", "requestId", "description"),
)


class LedgerFileView(CsvFileView):
    section = list_name = page_name = "ledger"

    def source(self, given: QueryDict) -> tuple[LedgerFilters, CsvSource]:
        form = LedgerFilters(given)
        transactions = narrowed(*self.portal.stored, form.filters())
        return form, CsvSource(
            LEDGER_COLUMNS, partial(keyset.page_of, transactions), ledger_row, counted=transactions
        )


def ledger_row(transaction: LedgerTransaction) -> list[Any]:
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


USAGE_COLUMNS = ("date", "keyId", "keyName", "product", "billableSearches")


class UsageFileView(PortalView):
    section = "usage"

    def get(self, request: HttpRequest) -> StreamingHttpResponse:
        portal = self.portal
        used = usage_since(*portal.stored, first_day_of_usage())
        rows: Iterator[list[Any]] = (
            [row.day.isoformat(), row.key_id, row.key.name, row.product, row.billable] for row in used
        )
        return csv_file(csv_lines(USAGE_COLUMNS, rows), file_name("usage", portal.environment))
