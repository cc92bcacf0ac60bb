"""The navigation at the side: one entry for each section."""

from dataclasses import dataclass
from functools import cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from apps.common.environments import Environment
from apps.portal.addresses import address_of_page

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
ACCOUNT = [
    ("production_access", "Go live", False),
    ("team", "Team", False),
    ("audit", "Audit", False),
]


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
