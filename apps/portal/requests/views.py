"""The request log: every /v1 call of the last 30 days, and for each call the check that stopped it."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.bookings.browsing import ids_of_bookings_called
from apps.common.errors import NotFound
from apps.gateway.request_log.selectors import call_of, calls_of, page_of_calls, totals_since
from apps.keys.models import ApiKey
from apps.keys.selectors import keys_of
from apps.portal.base_view import PortalView
from apps.portal.list_tabs import Tab, tabs_of
from apps.portal.list_view import ListView
from apps.portal.requests.followed import followed_from
from apps.portal.requests.forms import STATUSES, RequestFilters
from apps.portal.requests.timeline import request_timeline

KEYS_OFFERED = 100
"""The longest list of keys in the filter."""


class RequestListView(ListView):
    list_name = "requests"
    section = "requests"
    by_real_clock = True

    def get(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        keys = keys_to_offer(portal.account_id, portal.environment, request.GET.get("key"))
        form = RequestFilters(request.GET, keys=keys)
        bookings = bookings_named(portal.account_id, portal.environment, form.value("booking"))
        filters = form.filters(bookings=bookings)
        if is_request_id(filters.request_id):
            return redirect(portal.reverse("request", request_id=filters.request_id))
        if self.newest_seen is not None:
            return self.count_newer(calls_of(portal.account_id, portal.environment, filters), numbered=True)
        page = page_of_calls(portal.account_id, portal.environment, filters=filters, cursor=self.cursor)
        return self.render_list("portal/requests/index.html", form, page, tabs=self.tabs(form, bookings))

    def tabs(self, form: RequestFilters, bookings: tuple[str, ...] | None) -> list[Tab]:
        listed = {
            status: calls_of(
                self.portal.account_id,
                self.portal.environment,
                form.filters(bookings=bookings, status=status),
            )
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
        calls, errors = totals_since(self.portal.account_id, self.portal.environment, since)
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
            call = call_of(self.portal.account_id, self.portal.environment, request_id)
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
