"""What is asked of every page on the way, and waiting for what a worker writes down."""

import time
from urllib.parse import urlsplit

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor

PATIENCE_SECONDS = 30
REFUSAL = "Failed to load resource: the server responded with a status of 400 (Bad Request)"

NOT_FOUND = "Failed to load resource: the server responded with a status of 404 (Not Found)"


def find_nothing_wrong(window: Visitor) -> None:
    """On the console nothing since the journey began. What axe finds on the page, tests/browser/test_pages.py has seen."""
    assert {window.page.url: window.complaints} == {window.page.url: []}


def look_closely(window: Visitor) -> None:
    """Nothing grave for axe, either, on a page that is only ever in this state on a journey."""
    assert {window.page.url: window.faults() + window.complaints} == {window.page.url: []}


def forgive_a_refusal(window: Visitor) -> None:
    """That the page which is open answered 400, as it should, is the one thing the console may speak of."""
    assert window.complaints == [f"{urlsplit(window.page.url).path}: {REFUSAL}"]
    window.complaints.clear()


def forgive_a_call_not_yet_written_down(window: Visitor) -> None:
    """That the page which is open answered 404 until the log had its call, and offered to look again."""
    early = f"{urlsplit(window.page.url).path}: {NOT_FOUND}"
    window.complaints[:] = [complaint for complaint in window.complaints if complaint != early]


def reload_until_there(window: Visitor, what: Locator) -> None:
    """For pages that do not look again by themselves."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not what.count():
        assert time.monotonic() < give_up, f"{window.page.url} never showed {what}"
        window.page.reload()
    expect(what.first).to_be_visible()
