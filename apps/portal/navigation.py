"""The navigation at the side, and the addresses of pages."""

from collections.abc import Mapping
from dataclasses import dataclass
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
    return f"{portal.reverse('balance')}?cursor={keyset.cursor_before(created_at, line_id)}#{line_id}"


DOCS = "/docs/"


@dataclass(frozen=True, slots=True)
class Entry:
    section: str
    label: str
    address: str
    count: str = ""
    """What waits there."""


# By the section, which is also the URL name.
BUILD = {"home": "Home", "quick_start": "Quick start", "keys": "API keys"}
SANDBOX = {"sandbox": "Sandbox"}
"""In the test environment alone."""
WATCH = {"requests": "Requests", "bookings": "Bookings", "balance": "Balance", "webhooks": "Webhooks"}
APPROVALS = "approvals"
"""After the bookings, where the account uses approval."""
ACCOUNT = {"production_access": "Go live", "team": "Team", "branding": "Branding", "audit": "Audit"}


def navigation(environment: str, section: str, awaiting: int | None) -> SafeString:
    """The list, with the entry of the page's section marked. `awaiting` is how many bookings await approval; None where the
    account does not use it: then the entry is on that page alone.
    """
    if awaiting is None and section == APPROVALS:
        awaiting = 0
    return _navigation(environment, section, None if awaiting is None else min(awaiting, MOST_COUNTED + 1))


MOST_COUNTED = 99


@lru_cache(maxsize=1_000)
def _navigation(environment: str, section: str, awaiting: int | None) -> SafeString:
    """Kept as HTML: half of what every page shows, and mostly the same."""
    shown = {"navigation": groups(environment, awaiting), "section": section}
    return render_to_string("portal/parts/navigation.html", shown)


def groups(environment: str, awaiting: int | None) -> tuple[list[Entry], ...]:
    build = BUILD | (SANDBOX if environment == Environment.TEST else {})
    watch = entries(WATCH, environment)
    if awaiting is not None:
        count = f"{MOST_COUNTED}+" if awaiting > MOST_COUNTED else str(awaiting or "")
        approvals = Entry(APPROVALS, "Approvals", address_of_page(APPROVALS, environment), count)
        watch.insert(list(WATCH).index("bookings") + 1, approvals)
    return (
        entries(build, environment),
        watch,
        [*entries(ACCOUNT, ""), Entry("docs", "Documentation", DOCS)],
    )


def entries(labels: Mapping[str, str], environment: str) -> list[Entry]:
    return [Entry(section, label, address_of_page(section, environment)) for section, label in labels.items()]
