"""The navigation at the side: one entry for each section."""

from dataclasses import dataclass

from django.urls import reverse

from apps.common.environments import Environment

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


def navigation(environment: str) -> list[list[Entry]]:
    build = [*BUILD, SANDBOX] if environment == Environment.TEST else BUILD
    groups = [[entry(*each, environment) for each in group] for group in (build, WATCH, ACCOUNT)]
    groups[2].append(Entry("docs", "Documentation", DOCS))
    return groups


def entry(section: str, label: str, of_environment: bool, environment: str) -> Entry:
    named = (
        {"environment": Environment.TEST if section == "sandbox" else environment} if of_environment else {}
    )
    return Entry(section, label, reverse(f"portal:{section}", kwargs=named))
