"""The request log: its filters, its list, its CSV file, and the page of one call."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

from apps.bookings.selectors import ids_of_bookings_called
from apps.common import clock, errors, keyset, zones
from apps.common.clock import rfc3339
from apps.common.errors import NotFound
from apps.gateway.operations import declared_ids
from apps.keys.models import ApiKey
from apps.keys.scopes import products_not_sold
from apps.keys.selectors import keys_of
from apps.portal.base import PortalView
from apps.portal.charts import period_label
from apps.portal.csv_files import CsvFileView, CsvSource
from apps.portal.lists import CodeField, ListFilters, ListView, Tab, any_or, tabs_of
from apps.portal.requests.detail import followed_from, request_timeline
from apps.portal.requests.histogram import FORM, PERIOD, Histogram, Span, of_matches, of_period
from apps.request_log.models import LoggedCall
from apps.request_log.selectors import (
    Filters,
    call_of,
    calls_of,
    errors_by_type,
    page_of_calls,
    totals_since,
)
from apps.request_log.tasks import RETENTION

UNREADABLE = "Write two times, as in 2026-11-23T13:04:00Z/2026-11-23T14:04:00Z."


class IntervalField(forms.CharField):
    """Cleans to the two instants; the second is not included. Empty: None."""

    def __init__(self, **named: Any) -> None:
        super().__init__(
            max_length=64, widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}), **named
        )

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        try:
            since, until = (datetime.strptime(part, FORM).replace(tzinfo=UTC) for part in text.split("/"))
        except ValueError:
            raise forms.ValidationError(UNREADABLE) from None
        if until <= since:
            raise forms.ValidationError("The second time is before the first. Give the earlier one first.")
        return since, until

    def in_words(self, value: str) -> str:
        """What a chip shows."""
        try:
            since, until = self.clean(value)
        except (forms.ValidationError, TypeError):
            return value
        return period_label(zones.local(since), zones.local(until))


def called(text: str) -> dict[str, Any]:
    """The filters for `createHotelBooking` or its beginning, `/v1/hotels/bookings`, `POST /v1/hotels/bookings/{id}/cancel`, or a
    path with an id in it.
    """
    if not text:
        return {}
    method, _, path = text.rpartition(" ")
    if not path.startswith("/"):
        begins = text.lower()
        return {"operations": tuple(each for each in declared_ids() if each.lower().startswith(begins))}
    try:
        match = resolve(path)
    except Resolver404:
        return {"path_begins": path}
    declared = getattr(match.func, "initkwargs", {}).get("operations", {})
    wanted = method.strip().upper()
    operations = tuple(each.id for name, each in declared.items() if wanted in ("", name))
    has_id = any(not str(value).startswith("{") for value in match.kwargs.values())
    return {"operations": operations, "path": path if has_id else None}


PRODUCTS = ("hotels", "flights", "transfers", "esim", "webhooks", "account")
STATUSES = {"": "All", "errors": "Errors", "2": "2xx", "4": "4xx", "5": "5xx"}
"""The tabs. Errors are 4xx and 5xx together."""


def error_types() -> list[str]:
    kinds = errors.GatewayError.__subclasses__()
    return sorted({kind.type for kind in kinds})


class RequestFilters(ListFilters):
    field_order = ["request_id", "operation", "error_type", "key", "product", "booking", "idempotency_key"]

    status = forms.ChoiceField(choices=[*STATUSES.items()], required=False, widget=forms.HiddenInput)
    operation = CodeField("Operation or path", max_length=255)
    booking = CodeField("Booking, or its reference")
    idempotency_key = CodeField("Idempotency-Key", max_length=255)
    product = forms.ChoiceField(required=False)
    error_type = forms.ChoiceField(label="Error", required=False)
    key = forms.ChoiceField(label="API key", required=False)
    request_id = CodeField("Request id")
    within = IntervalField(label="Within", required=False)

    def __init__(self, *args: Any, keys: list[ApiKey], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.data.get("within"):
            del self.fields["within"]  # which comes from links, as from a notice on Home
        absent = products_not_sold()
        self.fields["product"].choices = any_or(  # type: ignore[attr-defined]
            (name, name) for name in PRODUCTS if name not in absent
        )
        self.fields["error_type"].choices = any_or((kind, kind) for kind in error_types())  # type: ignore[attr-defined]
        self.fields["key"].choices = any_or((key.pk, key.name) for key in keys)  # type: ignore[attr-defined]

    @property
    def period(self) -> tuple[datetime | None, datetime | None]:
        return self._readable("within") or (self.begins, self.ends)

    @property
    def is_of_period(self) -> bool:
        """Whether nothing but a period and a status narrows the calls."""
        return not any(self.data.get(name) for name in set(self.fields) - {"status", *PERIOD})

    @property
    def has_index(self) -> bool:
        """Whether an index finds the calls, so that they can be counted: none does by product, nor by the beginning of a path."""
        narrow = ("request_id", "booking", "idempotency_key")
        by_path = "path_begins" in called(self.value("operation"))
        return any(map(self.value, narrow)) or not (self.value("product") or by_path)

    @property
    def whole_hours_since(self) -> datetime | None:
        """Where nothing but a beginning narrows the calls, and that is one of an hour of the last 30 days: the instant."""
        others = set(self.fields) - {"since", "status"}
        is_alone = self.is_valid() and not any(self.data.get(name) for name in others)
        begins = self.begins if is_alone else None
        if begins is None or begins < clock.now() - RETENTION or begins.timestamp() % 3_600:
            return None
        return begins

    def filters(self, *, bookings: tuple[str, ...] | None = None, status: str | None = None) -> Filters:
        """`bookings` are the ids of what the field names. `status` is that of another tab than the chosen one."""
        status = self.value("status") if status is None else status
        begins, ends = self.period
        return Filters(
            **called(self.value("operation")),
            booking_ids=bookings,
            idempotency_key=self.value("idempotency_key") or None,
            errors_only=status == "errors",
            status_class=int(status) if status.isdigit() else None,
            product=self.value("product") or None,
            error_type=self.value("error_type") or None,
            key_id=self.value("key") or None,
            request_id=self.value("request_id") or None,
            since=begins,
            until=ends,
        )


KEYS_OFFERED = 100


class RequestListView(ListView):
    form_class = RequestFilters
    list_name = "requests"
    section = "requests"
    by_real_clock = True

    def get(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        keys = keys_to_offer(*portal.stored, request.GET.get("key"))
        form = RequestFilters(request.GET, keys=keys)
        bookings = bookings_named(*portal.stored, form.value("booking"))
        filters = form.filters(bookings=bookings)
        if is_request_id(filters.request_id):
            return redirect(portal.reverse("request", request_id=filters.request_id))
        if self.newest_seen is not None:
            return self.count_newer(calls_of(*portal.stored, filters), numbered=True)
        page = page_of_calls(*portal.stored, filters=filters, cursor=self.cursor)
        return self.render_list(
            "portal/requests/index.html",
            form,
            page,
            tabs=self.tabs(form, bookings),
            histogram=self.histogram(form, filters) if page.rows else None,
        )

    def histogram(self, form: RequestFilters, filters: Filters) -> Histogram | None:
        """None where no index finds the calls."""
        span = Span.of(*form.period, clock.now())
        if span is None or not form.has_index:
            return None
        query, status = self.request.GET.dict(), form.value("status")
        types = errors_by_type(*self.portal.stored, span.begins, error_types(), span.ends)
        if form.is_of_period and span.has_whole_hours:
            return of_period(*self.portal.stored, span, query=query, status=status, types=types)
        within = replace(filters, since=span.begins, until=span.ends)
        calls = calls_of(*self.portal.stored, within)
        return of_matches(calls, span, query=query, status=status, types=types if form.is_of_period else None)

    def tabs(self, form: RequestFilters, bookings: tuple[str, ...] | None) -> list[Tab]:
        listed = {
            status: calls_of(*self.portal.stored, form.filters(bookings=bookings, status=status))
            for status in STATUSES
        }
        return tabs_of(
            STATUSES, listed, form.value("status"), counted=form.has_index, known=self.known_counts(form)
        )

    def known_counts(self, form: RequestFilters) -> dict[str, int]:
        """Of whole hours all calls and all errors are counted already."""
        since = form.whole_hours_since
        if since is None:
            return {}
        calls, errors = totals_since(*self.portal.stored, since)
        return {"": calls, "errors": errors}


def bookings_named(account_id: str, environment: str, named: str) -> tuple[str, ...] | None:
    """The ids of the bookings that the filter names; None where it names none. An id is one also of what was never booked."""
    if not named:
        return None
    return (*ids_of_bookings_called(account_id, environment, named), named.lower())


def keys_to_offer(account_id: str, environment: str, chosen: str | None) -> list[ApiKey]:
    """The keys the filter offers. The key that a link has chosen is always among them."""
    keys = keys_of(account_id, environment).only("id", "name").order_by("name")
    offered = list(keys[:KEYS_OFFERED])
    if chosen and all(key.pk != chosen for key in offered):
        offered += keys.filter(pk=chosen)
    return offered


class RequestDetailView(PortalView):
    section = "requests"
    by_real_clock = True

    def get(self, request: HttpRequest, request_id: str) -> HttpResponse:
        try:
            call = call_of(*self.portal.stored, request_id)
        except NotFound:
            return self.render("portal/requests/missing.html", status=404)
        shown = {
            "call": call,
            "timeline": request_timeline(call),
            "followed": followed_from(self.portal, call),
        }
        return self.render("portal/requests/detail.html", shown)


def is_request_id(text: str | None) -> bool:
    """Whether `text` is a whole request id, and not a part of one."""
    try:
        return len(str(uuid.UUID(text or ""))) == len((text or "").strip())
    except ValueError:
        return False


COLUMNS = (
    *("requestId", "createdAt", "method", "path", "operation", "status", "errorType", "durationMs"),
    *("billable", "replayed", "keyId", "idempotencyKey", "bookingId", "bookingReference", "clientAddress"),
)


class RequestFileView(CsvFileView):
    section = list_name = page_name = "requests"
    by_real_clock = True

    def source(self, given: QueryDict) -> tuple[RequestFilters, CsvSource]:
        account_id, environment = self.portal.stored
        form = RequestFilters(given, keys=keys_to_offer(account_id, environment, given.get("key")))
        filters = form.filters(bookings=bookings_named(account_id, environment, form.value("booking")))
        calls = calls_of(account_id, environment, filters)
        pages = partial(keyset.page_of, calls, numbered=True)
        return form, CsvSource(COLUMNS, pages, row_of, counted=calls)


def row_of(call: LoggedCall) -> list[Any]:
    return [
        *(str(call.request_id), rfc3339(call.created_at), call.method, call.path, call.operation),
        call.status,
        *(call.error_type, round(call.duration_ms, 1), "" if call.billable is None else call.billable),
        *(call.replayed, call.key_id or "", call.idempotency_key, call.booking_id, call.booking_reference),
        call.client_address,
    ]
