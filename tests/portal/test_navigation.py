"""The navigation: its entries, the second level of the page's own, and who sees what."""

import re

import pytest

from apps.accounts.models import Role
from apps.portal.navigation import GROUPS, TOP
from tests.portal.person import Person

pytestmark = pytest.mark.django_db
SECOND = {group: list(pages.values()) for group, (_, pages) in GROUPS.items()}


def entries(person: Person, path: str) -> list[tuple[int, str, str, bool]]:
    """Of the side of a wide page: level, label, address, and whether it is the page's own."""
    page = person.get(path).content.decode()
    nav = re.findall(r'<nav class="nav" aria-label="Portal">(.*?)</nav>', page, re.DOTALL)[-1]
    found, level = [], 0
    for tag, address, rest, label in re.findall(
        r'(<ul>|</ul>|<a) ?(?:href="([^"]+)"([^>]*)>(.*?)</a>)?', nav, re.DOTALL
    ):
        if tag == "<a":
            text = re.sub("<[^>]+>", "", label).strip()
            found.append((level, text, address, "aria-current" in rest))
        level += {"<ul>": 1, "</ul>": -1}.get(tag, 0)
    return found


def test_there_are_seven_entries_and_the_search(portal: Person):
    found = entries(portal, "/portal/test/")
    labels = [*TOP.values(), *(label for label, _ in GROUPS.values())]
    assert [label for level, label, *_ in found if level == 1] == labels
    assert len(labels) == 7
    assert 'role="search"' in portal.get("/portal/test/").content.decode()


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/portal/test/", "Home"),
        ("/portal/test/bookings/", "Bookings"),
        ("/portal/test/approvals/", "Approvals"),
        ("/portal/test/requests/", "Requests"),
        ("/portal/test/call-outcomes/", "Requests"),
        ("/portal/test/webhooks/", "Endpoints"),
        ("/portal/test/webhooks/deliveries/", "Deliveries"),
        ("/portal/test/webhooks/events/", "Events"),
        ("/portal/test/webhooks/event-types/", "Catalogue"),
        ("/portal/test/webhooks/event-types/booking.confirmed/", "Catalogue"),
        ("/portal/test/webhooks/doctor/", "Signature doctor"),
        ("/portal/test/balance/", "Balance"),
        ("/portal/test/balance/ledger/", "Ledger"),
        ("/portal/test/balance/usage/", "Usage"),
        ("/portal/test/balance/statements/", "Statements"),
        ("/portal/test/keys/", "API keys"),
        ("/portal/test/keys/new/", "API keys"),
        ("/portal/test/quick-start/", "Quick start"),
        ("/portal/test/sandbox/", "Sandbox"),
        ("/portal/team/", "Team"),
        ("/portal/test/notifications/", "Notifications"),
        ("/portal/branding/", "Branding"),
        ("/portal/test/limits/", "Limits"),
        ("/portal/audit/", "Audit"),
        ("/portal/production-access/", "Go live"),
        ("/portal/profile/", "Profile"),
    ],
)
def test_each_page_marks_one_entry(portal: Person, path: str, label: str):
    assert [each for _, each, _, is_current in entries(portal, path) if is_current] == [label]


def test_every_entry_leads_to_a_page(portal: Person):
    for _, label, address, _ in entries(portal, "/portal/test/"):
        assert portal.get(address).status_code == 200, label


def test_the_sandbox_is_of_test_and_the_tools_are_for_developers(portal: Person, portal_as):
    assert "Sandbox" in SECOND["developers"]
    assert "Sandbox" not in [label for _, label, *_ in entries(portal, "/portal/live/")]
    assert "Signature doctor" in [label for _, label, *_ in entries(portal, "/portal/live/")]
    assert "Signature doctor" not in [
        label for _, label, *_ in entries(portal_as(Role.VIEWER), "/portal/test/")
    ]


def test_the_switch_of_environments_leads_to_the_same_page(portal: Person):
    for page in ("webhooks/events/", "balance/usage/", "limits/"):
        assert portal.get(f"/portal/test/{page}").context["switch"]["live"] == f"/portal/live/{page}"
