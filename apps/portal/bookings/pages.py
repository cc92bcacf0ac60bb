"""The bookings: their filters, their list, its CSV file, and the page of one."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict

from apps.bookings.flow.cancellation_quotes import quote_cancellation
from apps.bookings.flow.members import new_key
from apps.bookings.models import Booking, Product
from apps.bookings.selectors import IN_WORDS, MOST_SUMMED, Filters, page_of_bookings, selected, sums_of
from apps.common import clock, zones
from apps.common.clock import rfc3339
from apps.common.errors import GatewayError
from apps.common.keyset import Page
from apps.common.money import to_major
from apps.keys.models import ApiKey
from apps.keys.scopes import is_sold
from apps.portal.bookings.actions import (
    BookingView,
    Correction,
    Hold,
    Refund,
    may_be_erased,
    stay_can_be_changed,
)
from apps.portal.bookings.approvals import Approval
from apps.portal.bookings.documents import DocumentChoices
from apps.portal.bookings.facts import COPIED, facts_of, line_of, parts_of, service_days
from apps.portal.bookings.timeline import booking_timeline, history_of
from apps.portal.context import APPROVERS, DEVELOPERS, FINANCE, OWNERS
from apps.portal.csv_files import CsvFileView, CsvSource
from apps.portal.lists import CodeField, DayField, ListFilters, ListView, Preset, any_or, tabs_of
from apps.sandbox.simulate import possible_now

STATES = (
    "pending",
    "awaiting_approval",
    "on_hold",
    "confirmed",
    "ticketed",
    "provisioned",
    "cancelled",
    "failed",
)
STATUSES = {
    "": "All",
    **{state: state.replace("_", " ").capitalize() for state in STATES},
    "awaiting_approval": "To approve",
}


TRAVEL = {"today": "Today", "7d": "Next 7 days", "30d": "Next 30 days"}
"""Periods in which travel begins, from the reader's today on."""
TRAVEL_DAYS = {"today": 1, "7d": 7, "30d": 30}
DAYS_REVERSED = "The days of travel end before they begin. Give the earlier day first."


class BookingFilters(ListFilters):
    field_order = ["text", "product", "trip"]

    product = forms.ChoiceField(required=False)
    status = forms.ChoiceField(choices=[*STATUSES.items()], required=False, widget=forms.HiddenInput)
    text = CodeField("Reference or id")
    trip = CodeField("Trip reference")
    travel_from = DayField("Travel begins from")
    travel_to = DayField("Travel begins until")
    travel = forms.ChoiceField(choices=[("", ""), *TRAVEL.items()], required=False, widget=forms.HiddenInput)
    """Counts where neither day is given."""

    def clean(self) -> dict[str, Any]:
        """Reversed days of travel narrow nothing."""
        cleaned = super().clean()
        first, last = cleaned.get("travel_from"), cleaned.get("travel_to")
        if first and last and last < first:
            self.add_error("travel_to", DAYS_REVERSED)
            cleaned.pop("travel_from")
        return cleaned

    def __init__(self, *args: Any, products: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = [(product, name) for product, name in Product.choices if product in products]
        self.fields["product"].choices = any_or(shown)  # type: ignore[attr-defined]

    def travel_presets(self) -> list[Preset]:
        chosen = "" if self.has_days_of_travel else self.value("travel")
        return [Preset(label, name, is_current=name == chosen) for name, label in TRAVEL.items()]

    @property
    def has_days_of_travel(self) -> bool:
        """Whether a day is written, readable or not."""
        return bool(self.data.get("travel_from") or self.data.get("travel_to"))

    @property
    def days_of_travel(self) -> tuple[date | None, date | None]:
        """The first and the last day, both included."""
        length = TRAVEL_DAYS.get(self.value("travel"))
        if self.has_days_of_travel or length is None:
            return self.day("travel_from"), self.day("travel_to")
        today = zones.local(clock.now_here()).date()
        return today, today + timedelta(days=length - 1)

    def filters(self, *, status: str | None = None) -> Filters:
        """`status` is that of another tab than the chosen one."""
        travel_from, travel_to = self.days_of_travel
        return Filters(
            product=self.value("product"),
            status=self.value("status") if status is None else status,
            text=self.value("text"),
            trip=self.value("trip"),
            travel_from=travel_from,
            travel_to=travel_to,
            since=self.begins,
            until=self.ends,
        )


SOLD_AS = {
    Product.HOTEL: "hotels",
    Product.FLIGHT: "flights",
    Product.TRANSFER: "transfers",
    Product.ESIM: "esim",
}


class BookingListView(ListView):
    form_class = BookingFilters
    list_name = "bookings"
    section = "bookings"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        products = products_to_choose(*portal.stored)
        form = BookingFilters(request.GET, products=products)
        if self.newest_seen is not None:
            return self.count_newer(selected(*portal.stored, form.filters()))
        page = page_of_bookings(*portal.stored, filters=form.filters(), cursor=self.cursor, columns=IN_WORDS)
        listed = {status: selected(*portal.stored, form.filters(status=status)) for status in STATUSES}
        tabs = tabs_of(STATUSES, listed, form.value("status"))
        lines = {booking.reference: line_of(booking) for booking in page.rows}
        trip = form.value("trip") if page.rows else ""
        documents = DocumentChoices.of_trip(trip) if trip else None
        sums = sums_of(*portal.stored, form.filters()) if page.rows else []
        return self.render_list(
            "portal/bookings/index.html",
            form,
            page,
            tabs=tabs,
            lines=lines,
            documents=documents,
            sums=sums,
            are_newest=sum(one.bookings for one in sums) >= MOST_SUMMED,
        )


def products_to_choose(account_id: str, environment: str) -> set[str]:
    products: set[str] = {product for product in Product if is_sold(SOLD_AS[product])}
    if products < set(Product.values):
        booked = Booking.objects.filter(account_id=account_id, environment=environment)
        products |= set(booked.order_by().values_list("product", flat=True).distinct())
    return products


class BookingDetailView(BookingView):
    allowed_roles_to_post = DEVELOPERS | FINANCE  # a POST changes nothing, but it calls the supplier

    template = "portal/bookings/detail.html"

    def post(self, request: HttpRequest) -> HttpResponse:
        """Ask the supplier what cancelling would cost now. It is a button because it makes a call to the supplier."""
        answer: dict[str, Any]
        try:
            answer = {"quote": quote_cancellation(self.object), "cancel_key": new_key()}
        except GatewayError as error:
            answer = {"refused": error}
        return self.render(self.template, self.extra_context() | answer)

    def extra_context(self) -> dict[str, Any]:
        booking, portal = self.object, self.portal
        facts, history = facts_of(booking), history_of(booking)
        where, dates, travellers = parts_of(booking)
        return {
            "where": where,
            "dates": dates,
            "travellers": travellers,
            "facts": facts,
            "copied_facts": COPIED,
            "history": history,
            "timeline": booking_timeline(portal, history),
            "has_a_price": booking.status in Booking.STANDING and booking.product != "esim",
            "simulations": possible_now(booking, owed=bool(history.settlements))
            if portal.has_role(DEVELOPERS)
            else [],
            "hold": Hold.of(booking),
            "approval": Approval.newest_of(history, portal),
            "may_decide": portal.has_role(APPROVERS),
            "correction": Correction.of(booking),
            "refund": Refund.of(booking),
            "documents": DocumentChoices.of(booking),
            "may_ask_for_dates": portal.has_role(DEVELOPERS | FINANCE) and stay_can_be_changed(booking),
            "may_erase": portal.has_role(OWNERS) and may_be_erased(history),
            "may_ask": portal.has_role(DEVELOPERS | FINANCE),
        }


COLUMNS = (
    *("id", "reference", "externalReference", "product", "status", "total", "currency", "penalty", "refund"),
    *("supplier", "supplierReference", "keyId", "requestId", "createdAt", "updatedAt"),
    *("tripReference", "serviceFrom", "serviceTo", "description", "leadTraveller", "keyName", "netPrice"),
)

WRITTEN = (
    *IN_WORDS,
    *("cancellation", "supplier_name", "supplier_reference", "key_id", "request_id", "updated_at"),
    *("account_id", "environment", "trip_reference"),
)


class BookingFileView(CsvFileView):
    section = list_name = page_name = "bookings"

    def source(self, given: QueryDict) -> tuple[BookingFilters, CsvSource]:
        account_id, environment = self.portal.stored
        form = BookingFilters(given, products=products_to_choose(account_id, environment))
        filters = form.filters()

        def page_of(cursor: str | None, length: int) -> Page[Booking]:
            return page_of_bookings(
                account_id, environment, filters=filters, cursor=cursor, limit=length, columns=WRITTEN
            )

        keys = dict(ApiKey.objects.filter(account_id=account_id).values_list("pk", "name"))

        def row_with_key(booking: Booking) -> list[Any]:
            return row_of(booking, keys.get(booking.key_id, ""))

        return form, CsvSource(
            COLUMNS, page_of, row_with_key, counted=selected(account_id, environment, filters)
        )


def row_of(booking: Booking, key_name: str) -> list[Any]:
    cancelled = booking.cancellation or {}
    costs = [cancelled.get(name) for name in ("penaltyCents", "refundCents")]
    where, _, names = parts_of(booking)
    first, last = service_days(booking)
    return [
        *(booking.pk, booking.reference, booking.external_reference or "", booking.product, booking.status),
        *(to_major(booking.total_cents, booking.currency), booking.currency),
        *("" if cents is None else to_major(cents, booking.currency) for cents in costs),
        *(booking.supplier_name, booking.supplier_reference, booking.key_id, booking.request_id),
        *(rfc3339(booking.created_at), rfc3339(booking.updated_at), booking.trip_reference or ""),
        *(day.isoformat() if day is not None else "" for day in (first, last)),
        *(where, names[0] if names else "", key_name),
        to_major(net_cents(booking), booking.currency),
    ]


def net_cents(booking: Booking) -> int:
    """What the booking costs in the end, or is to: nothing where it failed or is not paid, its penalty once it is cancelled."""
    if booking.status == Booking.FAILED:
        return 0
    return booking.paid_cents - int((booking.cancellation or {}).get("refundCents", 0))
