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


# By the section, which is also the URL name.
BUILD = {"home": "Home", "quick_start": "Quick start", "keys": "API keys"}
SANDBOX = {"sandbox": "Sandbox"}
"""In the test environment alone."""
WATCH = {"requests": "Requests", "bookings": "Bookings", "balance": "Balance", "webhooks": "Webhooks"}
ACCOUNT = {"production_access": "Go live", "team": "Team", "branding": "Branding", "audit": "Audit"}


@cache
def navigation(environment: str, section: str) -> SafeString:
    """The list, with the entry of the page's section marked. Kept as HTML: half of what every page shows, and always the same."""
    return render_to_string(
        "portal/parts/navigation.html", {"navigation": groups(environment), "section": section}
    )


def groups(environment: str) -> tuple[list[Entry], ...]:
    build = BUILD | (SANDBOX if environment == Environment.TEST else {})
    return (
        entries(build, environment),
        entries(WATCH, environment),
        [*entries(ACCOUNT, ""), Entry("docs", "Documentation", DOCS)],
    )


def entries(labels: Mapping[str, str], environment: str) -> list[Entry]:
    return [Entry(section, label, address_of_page(section, environment)) for section, label in labels.items()]
