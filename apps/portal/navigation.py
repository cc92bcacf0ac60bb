"""The navigation at the side, and the addresses of pages."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from urllib.parse import quote

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from apps.common import keyset
from apps.common.environments import Environment
from apps.portal.context import PortalContext

MARK = "0"
SAFE = "/~:@!$&'()*+,;="
"""What Django's own addresses leave as it is (RFC 3986, pchar)."""


@lru_cache(maxsize=1_000)
def address_of(name: str, *args: str) -> str:
    """As Django's `reverse`, for names and arguments of which there are few."""
    return reverse(name, args=args)


@cache
def address_of_page(name: str, environment: str = "") -> str:
    """Of a page of that environment; of the whole account without one. There are as many as pages."""
    return reverse(f"portal:{name}", kwargs={"environment": environment} if environment else {})


def address_of_object(name: str, environment: str, pk: object) -> str:
    """Of the page of one object, whose id is the last thing that its address names."""
    before, after = _around(name, environment)
    return f"{before}{quote(str(pk), safe=SAFE)}{after}"


@cache
def _around(name: str, environment: str) -> tuple[str, str]:
    before, _, after = reverse(f"portal:{name}", args=[environment, MARK]).rpartition(MARK)
    return before, after


def ledger_line_address(portal: PortalContext, created_at: datetime, line_id: str) -> str:
    return f"{portal.reverse('balance')}?cursor={keyset.cursor_before(created_at, line_id)}#{line_id}"


DOCS = "/docs/"


@dataclass(frozen=True, slots=True)
class Entry:
    section: str
    label: str
    address: str


# (section, which is also the URL name; label; whether the section is of one environment)
BUILD = [("home", "Home", True), ("quick_start", "Quick start", True), ("keys", "API keys", True)]
SANDBOX = ("sandbox", "Sandbox", True)
"""In the test environment alone."""
WATCH = [
    ("requests", "Requests", True),
    ("bookings", "Bookings", True),
    ("balance", "Balance", True),
    ("webhooks", "Webhooks", True),
]
ACCOUNT = [("production_access", "Go live", False), ("team", "Team", False), ("audit", "Audit", False)]


@cache
def navigation(environment: str, section: str) -> SafeString:
    """The list, with the entry of the page's section marked. Kept as HTML: half of what every page shows, and always the same."""
    return render_to_string(
        "portal/parts/navigation.html", {"navigation": groups(environment), "section": section}
    )


def groups(environment: str) -> tuple[tuple[Entry, ...], ...]:
    build = [*BUILD, SANDBOX] if environment == Environment.TEST else BUILD
    first, second, third = (
        tuple(entry(*each, environment) for each in group) for group in (build, WATCH, ACCOUNT)
    )
    return first, second, (*third, Entry("docs", "Documentation", DOCS))


def entry(section: str, label: str, of_environment: bool, environment: str) -> Entry:
    place = Environment.TEST if section == "sandbox" else environment
    return Entry(section, label, address_of_page(section, str(place) if of_environment else ""))
