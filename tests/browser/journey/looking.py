"""Checks for every page of the journey, and waiting for what a worker writes."""

import time
from urllib.parse import urlsplit

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor

PATIENCE_SECONDS = 120
REFUSAL = "Failed to load resource: the server responded with a status of 400 (Bad Request)"

NOT_FOUND = "Failed to load resource: the server responded with a status of 404 (Not Found)"


def find_nothing_wrong(window: Visitor) -> None:
    """The console has no error since the journey began. axe checks the page in tests/browser/test_pages.py."""
    assert {window.page.url: window.complaints} == {window.page.url: []}


def look_closely(window: Visitor) -> None:
    """axe finds nothing grave either. For a page whose present state only a journey reaches."""
    assert {window.page.url: window.faults() + window.complaints} == {window.page.url: []}


def forgive_a_refusal(window: Visitor) -> None:
    """Accept one error on the console: the open page answered 400, as it should."""
    assert window.complaints == [f"{urlsplit(window.page.url).path}: {REFUSAL}"]
    window.complaints.clear()


def forgive_a_call_not_yet_written_down(window: Visitor) -> None:
    """Accept that the open page answered 404 until the call was in the log."""
    early = f"{urlsplit(window.page.url).path}: {NOT_FOUND}"
    window.complaints[:] = [complaint for complaint in window.complaints if complaint != early]


def reload_until_there(window: Visitor, what: Locator) -> None:
    """For a page that does not reload by itself."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not what.count():
        assert time.monotonic() < give_up, f"{window.page.url} never showed {what}"
        window.page.reload()
    expect(what.first).to_be_visible()
