"""The pages and actions that one reaches by typing their name (Ctrl-K), those that the member's role may open."""

from typing import NamedTuple

from apps.portal.context import PortalContext
from apps.portal.find.pages import may_open, page_address


class Choice(NamedTuple):
    label: str
    address: str


PAGES = {
    "home": "Home",
    "quick_start": "Quick start",
    "keys": "API keys",
    "requests": "Requests",
    "call_outcomes": "What became of my call?",
    "bookings": "Bookings",
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
