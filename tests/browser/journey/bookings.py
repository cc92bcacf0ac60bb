"""The page of a booking."""

import re

from playwright.sync_api import expect

from tests.browser.journey.looking import (
    find_nothing_wrong,
    forgive_a_call_not_yet_written_down,
    reload_until_there,
)
from tests.browser.visitor import Visitor

STORY = [
    "Request received",
    re.compile(r"\bheld$"),
    "Sent to supplier",
    "Supplier confirmed",
    re.compile(r"\bcaptured$"),
    "Event booking.confirmed",
]
"""What is confirmed, the capture and the event are of one instant: a cause comes before its effect."""


def read_the_timeline(window: Visitor, reference: str) -> None:
    """Open the booking from the list. Its timeline has request, hold, supplier, event and capture in the order written."""
    window.goto("/portal/test/bookings/")
    find_nothing_wrong(window)
    window.page.get_by_role("link", name=reference).click()
    timeline = window.page.locator("section", has=window.page.get_by_role("heading", name="What happened"))
    expect(timeline.get_by_role("listitem").locator("strong")).to_have_text(STORY)
    find_nothing_wrong(window)
    timeline.get_by_role("link", name="Request").click()
    window.page.wait_for_url("**/requests/*/")
    reload_until_there(window, window.page.get_by_role("heading", name="POST /v1/flights/orders"))
    forgive_a_call_not_yet_written_down(window)
