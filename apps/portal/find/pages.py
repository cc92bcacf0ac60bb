"""The page of whatever was found, and which roles may open it."""

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import NoReverseMatch, resolve, reverse

from apps.portal.balance.lines import ledger_line_address
from apps.portal.base_view import PortalView
from apps.portal.context import PortalContext
from apps.portal.find.lookups import Found


class Kind(NamedTuple):
    title: str
    """The heading above several of this kind."""
    name: str
    """The one of this kind, in the middle of a sentence."""
    page: str
    """The name of its page's address."""
    parameter: str = ""
    """What the address calls the id; empty for a page with all of the kind."""


KINDS = {
    "request": Kind("Requests", "a request", "request", "request_id"),
    "booking": Kind("Bookings", "a booking", "booking", "booking_id"),
    "call": Kind("Idempotency-Keys", "an Idempotency-Key", "call_outcomes"),
    "keyed": Kind("Requests with this Idempotency-Key", "a request", "request", "request_id"),
    "ledger": Kind("Ledger lines", "a ledger line", "balance"),
    "delivery": Kind("Deliveries", "a delivery", "delivery", "delivery_id"),
    "event": Kind("Events", "an event", "event", "event_id"),
    "endpoint": Kind("Endpoints", "an endpoint", "endpoint", "endpoint_id"),
    "key": Kind("API keys", "an API key", "key", "key_id"),
    "member": Kind("Members", "a member", "team"),
}


def address_of(portal: PortalContext, found: Found) -> str:
    kind = KINDS[found.kind]
    if kind.parameter:
        return portal.reverse(kind.page, **{kind.parameter: found.id})
    if found.kind == "call":
        return f"{portal.reverse(kind.page)}?{urlencode({'q': found.id})}"
    if found.kind == "ledger":
        return ledger_line_address(portal, found.at, found.id)
    return f"{page_address(kind.page, portal.environment)}#{found.id}"


def kinds_open_to(portal: PortalContext) -> frozenset[str]:
    """The kinds whose page the member's role may see: nobody finds what they could not open."""
    return frozenset(name for name, kind in KINDS.items() if may_open(portal, kind.page, kind.parameter))


def may_open(portal: PortalContext, page: str, parameter: str = "") -> bool:
    return portal.has_role(view_of(page, parameter).allowed_roles)


@lru_cache
def view_of(page: str, parameter: str = "") -> type[PortalView]:
    """The view that answers a GET of the page."""
    match = resolve(page_address(page, "test", parameter))
    view: type[PortalView] = match.func.view_class  # type: ignore[attr-defined]
    return view


def page_address(page: str, environment: str, parameter: str = "") -> str:
    """The page's address. `parameter` gets some value."""
    named = {parameter: "0"} if parameter else {}
    try:
        return reverse(f"portal:{page}", kwargs={"environment": environment, **named})
    except NoReverseMatch:  # a page of the whole account
        return reverse(f"portal:{page}", kwargs=named)
