"""The page Find, the pages to which it leads, and the palette."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import NoReverseMatch, resolve, reverse

from apps.common.environments import Environment
from apps.portal.base import PortalView
from apps.portal.bookings.facts import lines_of
from apps.portal.context import PortalContext
from apps.portal.find.lookups import LONGEST, Found, Pasted, Place, find, find_people
from apps.portal.navigation import ledger_line_address


class Kind(NamedTuple):
    title: str
    name: str
    """The one of this kind, in the middle of a sentence."""
    page: str
    parameter: str = ""
    """What the address calls the id; empty for a page with all of the kind."""


KINDS = {
    "request": Kind("Requests", "a request", "request", "request_id"),
    "booking": Kind("Bookings", "a booking", "booking", "booking_id"),
    "call": Kind("Idempotency-Keys", "an Idempotency-Key", "call_outcomes"),
    "keyed": Kind("Requests with this Idempotency-Key", "a request", "request", "request_id"),
    "ledger": Kind("Ledger lines", "a ledger line", "ledger"),
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


class Choice(NamedTuple):
    label: str
    address: str


PAGES = {
    "home": "Home",
    "quick_start": "Quick start",
    "keys": "API keys",
    "requests": "Requests",
    "call_outcomes": "Check a call",
    "bookings": "Bookings",
    "approvals": "Approvals",
    "balance": "Balance and ledger",
    "usage": "Search usage",
    "webhooks": "Webhooks: endpoints",
    "events": "Webhooks: events",
    "event_types": "Webhooks: event catalogue",
    "deliveries": "Webhooks: deliveries",
    "doctor": "Webhooks: why a signature is refused",
    "production_access": "Go live",
    "notifications": "Notifications",
    "team": "Team",
    "audit": "Audit",
}
OF_TEST = {"sandbox": "Sandbox"}
ACTIONS = {
    "key_new": "Create an API key",
    "endpoint_new": "Add an endpoint",
    "team_invite": "Invite a member",
}
ACTIONS_OF_TEST = {"sandbox_funds": "Add test funds", "sandbox_open": "Open a sandbox"}


def palette(portal: PortalContext) -> list[Choice]:
    """Pages first, then actions, then the switch to the other environment."""
    of_test, actions_of_test = ({}, {}) if portal.is_live else (OF_TEST, ACTIONS_OF_TEST)
    named = {**PAGES, **of_test, **ACTIONS, **actions_of_test}
    choices = [
        Choice(label, page_address(page, portal.environment))
        for page, label in named.items()
        if may_open(portal, page)
    ]
    other = "test" if portal.is_live else "live"
    return [
        *choices,
        Choice("Documentation", "/docs/"),
        Choice(f"Switch to {other}", page_address("home", other)),
    ]


PASTED_WHOLE = (
    "You pasted a whole secret. It is now in the history of this browser, and may be in logs on its way to us: "
    "rotate the key if anybody else can read them."
)


@dataclass(frozen=True, slots=True)
class Group:
    """What was found of one kind, each with its page."""

    title: str
    rows: list[tuple[Found, str]]


class FindView(PortalView):
    section = "find"

    def get(self, request: HttpRequest) -> HttpResponse:
        text = request.GET.get("q", "")[:LONGEST].strip()
        pasted = Pasted.of(text)
        if pasted.has_whole_secret:
            messages.warning(request, PASTED_WHOLE)
        kinds = kinds_open_to(self.portal)
        found = self.here(pasted, kinds)
        if len(found) == 1:
            return redirect(address_of(self.portal, found[0]))
        elsewhere = {} if found else {"other": self.in_other(pasted, kinds), **self.in_sandbox(pasted, kinds)}
        shown = {
            "find_text": text,
            "groups": self.groups(found),
            "palette": palette(self.portal),
            "lines": lines_of(*self.portal.stored, [one.label for one in found if one.kind == "booking"]),
            **elsewhere,
        }
        return self.render("portal/find/index.html", shown)

    def here(self, pasted: Pasted, kinds: frozenset[str]) -> list[Found]:
        """What is found in the chosen environment, and the people of the account."""
        portal = self.portal
        found = find(Place([portal.account_id], portal.environment), pasted, kinds)
        if "member" in kinds:
            found += find_people(portal.account.pk, pasted)
        return [each for each in found if not is_shown_otherwise(each, found)]

    def in_other(self, pasted: Pasted, kinds: frozenset[str]) -> str:
        """What is found in the environment that is not chosen, in words; empty where nothing is."""
        portal = self.portal
        if portal.is_live:
            place = Place([each.account_id for each in portal.sandboxes], Environment.TEST)
        else:
            place = Place([portal.account.pk], Environment.LIVE)
        return in_words(find(place, pasted, kinds))

    def in_sandbox(self, pasted: Pasted, kinds: frozenset[str]) -> dict[str, object]:
        """What is found in another sandbox than the chosen one, in words, and in which."""
        portal = self.portal
        others = {
            each.account_id: each.name for each in portal.sandboxes if each.account_id != portal.account_id
        }
        if portal.is_live or not others:
            return {}
        found = find(Place([*others], Environment.TEST), pasted, kinds)
        if not found:
            return {}
        first = found[0].account_id
        there = [each for each in found if each.account_id == first]
        return {"in_sandbox": in_words(there), "sandbox_of_it": others[first]}

    def groups(self, found: Sequence[Found]) -> list[Group]:
        return [
            Group(kind.title, [(each, address_of(self.portal, each)) for each in found if each.kind == name])
            for name, kind in KINDS.items()
            if any(each.kind == name for each in found)
        ]

    def address_in(self, environment: str) -> str:
        """The same search in `environment`."""
        address = super().address_in(environment)
        text = self.request.GET.get("q", "")[:LONGEST]
        return f"{address}?{urlencode({'q': text})}" if text else address


def is_shown_otherwise(one: Found, found: Sequence[Found]) -> bool:
    """An event is shown by its deliveries, where it has any. The calls of an Idempotency-Key are shown by what became of it."""
    better = {"event": "delivery", "keyed": "call"}.get(one.kind)
    return any(each.kind == better for each in found)


def in_words(found: Sequence[Found]) -> str:
    """`a request`, or `a booking and an Idempotency-Key`; empty for nothing."""
    shown = {each.kind for each in found if not is_shown_otherwise(each, found)}
    return " and ".join(dict.fromkeys(kind.name for name, kind in KINDS.items() if name in shown))
