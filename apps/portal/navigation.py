"""The navigation at the side, and the addresses of pages."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from apps.common import keyset
from apps.common.environments import Environment
from apps.portal.context import PortalContext


@lru_cache(maxsize=1_000)
def address_of(name: str, *args: str) -> str:
    """As Django's `reverse`, for names and arguments of which there are few."""
    return reverse(name, args=args)


@cache
def address_of_page(name: str, environment: str = "") -> str:
    """Of a page of that environment; of the whole account without one. There are as many as pages."""
    return reverse(f"portal:{name}", kwargs={"environment": environment} if environment else {})


def address_of_object(name: str, environment: str, pk: object) -> str:
    return reverse(f"portal:{name}", args=[environment, pk])


def ledger_line_address(portal: PortalContext, created_at: datetime, line_id: str) -> str:
    return f"{portal.reverse('ledger')}?cursor={keyset.cursor_before(created_at, line_id)}#{line_id}"


DOCS = "/docs/"


@dataclass(frozen=True, slots=True)
class Entry:
    section: str
    """That of the page, which is also the name of its URL."""
    label: str
    address: str
    count: str = ""
    """What waits there."""
    children: tuple["Entry", ...] = ()
    is_open: bool = False
    """Whether the second level is in sight beside a wide page. Behind the menu of a narrow one it always is."""
    is_within: bool = False
    """Whether the page is one of the second level."""


APPROVALS = "approvals"
"""Below the bookings, where the account uses approval."""
SANDBOX, TOOLS = "sandbox", "doctor"
TOP = {"home": "Home", "bookings": "Bookings", "requests": "Requests"}
GROUPS: dict[str, tuple[str, dict[str, str]]] = {
    "webhooks": (
        "Webhooks",
        {
            "webhooks": "Endpoints",
            "deliveries": "Deliveries",
            "events": "Events",
            "event_types": "Catalogue",
            TOOLS: "Signature doctor",
        },
    ),
    "billing": (
        "Billing",
        {"balance": "Balance", "ledger": "Ledger", "usage": "Usage", "statements": "Statements"},
    ),
    "developers": (
        "Developers",
        {"keys": "API keys", "quick_start": "Quick start", "docs": "Docs", SANDBOX: "Sandbox"},
    ),
    "settings": (
        "Settings",
        {
            "team": "Team",
            "notifications": "Notifications",
            "branding": "Branding",
            "limits": "Limits",
            "audit": "Audit",
            "production_access": "Go live",
            "security": "Security",
            "profile": "Profile",
        },
    ),
}
"""Each group leads to the first page of its second level."""
OF_ACCOUNT = frozenset({"team", "branding", "audit", "production_access", "profile"})
"""Pages of the whole account, not of one environment."""
MOST_COUNTED = 99


def navigation(environment: str, section: str, awaiting: int | None, *, develops: bool) -> SafeString:
    """The list, with the entry of the page's section marked. `awaiting` is how many bookings await approval; None where the
    account does not use it: then the entry is on that page alone. `develops`: whether the member may use the tools.
    """
    if awaiting is None and section == APPROVALS:
        awaiting = 0
    counted = None if awaiting is None else min(awaiting, MOST_COUNTED + 1)
    return _navigation(environment, section, counted, develops)


@lru_cache(maxsize=1_000)
def _navigation(environment: str, section: str, awaiting: int | None, develops: bool) -> SafeString:
    """Kept as HTML: half of what every page shows, and mostly the same."""
    shown = {"navigation": tree(environment, section, awaiting, develops=develops), "section": section}
    return render_to_string("portal/parts/navigation.html", shown)


def tree(environment: str, section: str, awaiting: int | None, *, develops: bool) -> list[Entry]:
    found = [Entry(name, label, address_of_page(name, environment)) for name, label in TOP.items()]
    if awaiting is not None:
        count = f"{MOST_COUNTED}+" if awaiting > MOST_COUNTED else str(awaiting or "")
        approvals = Entry(APPROVALS, "Approvals", address_of_page(APPROVALS, environment), count)
        at = list(TOP).index("bookings")
        found[at] = replace(found[at], children=(approvals,), is_open=True, is_within=section == APPROVALS)
    hidden = set() if environment == Environment.TEST else {SANDBOX}
    hidden |= set() if develops else {TOOLS}
    for group, (label, pages) in GROUPS.items():
        children = tuple(
            Entry(name, each, address_in(environment, name))
            for name, each in pages.items()
            if name not in hidden
        )
        within = section in pages
        found.append(
            Entry(group, label, children[0].address, children=children, is_open=within, is_within=within)
        )
    return found


def address_in(environment: str, section: str) -> str:
    if section == "docs":
        return DOCS
    if section == "security":
        return address_of("mfa_index")
    return address_of_page(section, "" if section in OF_ACCOUNT else environment)
