"""The pages one works in all day, at four widths in both schemes: axe finds nothing grave, and nothing is wider than the window.

The suite looks at every third page, and `make pages` at all of them.
"""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visitor import FULL, NARROW, TABLET, WIDE, Visitor
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PAGES = [
    "/portal/test/",
    "/portal/test/?last=30d",
    "/portal/test/requests/?last=7d&status=errors",
    "/portal/test/bookings/?since=2026-11-02&until=2026-11-01",
    "/portal/test/webhooks/deliveries/",
    "/portal/test/balance/",
    "/portal/audit/",
    "/portal/time-zone/",
]
A_FEW = 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_they_fit_and_read_at_every_width(
    browser: Browser, live_server, owner: Person, scheme: str, every_page: bool
):
    add_sample_data(owner.account, owner.user)
    with Visitor.arrive(browser, live_server.url, scheme=scheme) as visitor:
        visitor.carry_session_of(owner)
        for path in PAGES if every_page else PAGES[::A_FEW]:
            assert visitor.goto(path) == 200
            visitor.page.evaluate(
                "for (const each of document.querySelectorAll('main details:not(.dropdown)')) each.open = true"
            )
            for width in (FULL, WIDE, TABLET, NARROW):
                assert (path, width, max(0, visitor.overflow(width))) == (path, width, 0)
                assert visitor.faults() == [], (path, width, scheme)
        assert visitor.complaints == []


def test_periods_and_views_work_by_keyboard_alone(visitor: Visitor, owner: Person):
    """From a period to a saved view of it, and back to it from the whole list."""
    add_sample_data(owner.account, owner.user)
    visitor.carry_session_of(owner)
    page = visitor.page
    visitor.goto("/portal/test/requests/")
    press_until(visitor, "The last 7 d")
    page.keyboard.press("Enter")
    page.wait_for_url("**?last=7d")
    press_until(visitor, "Save this view")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("The week")
    page.keyboard.press("Enter")
    page.wait_for_url("**?last=7d")
    expect(page.get_by_text("Saved as “The week”.")).to_be_visible()
    visitor.goto("/portal/test/requests/")
    press_until(visitor, "The week")
    page.keyboard.press("Enter")
    page.wait_for_url("**?last=7d")
    assert visitor.complaints == []


FOCUSED = "(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()"


def press_until(visitor: Visitor, name: str) -> None:
    """Press Tab until the element of this name has the focus."""
    for _ in range(120):
        visitor.page.keyboard.press("Tab")
        if visitor.page.evaluate(FOCUSED) == name:
            return
    raise AssertionError(f"The keyboard does not reach {name}")
