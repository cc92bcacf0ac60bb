"""API keys: the secret shown once, the first call with it, a rotation, and live keys before the approval."""

import subprocess

from playwright.sync_api import expect

from tests.browser.journey.looking import (
    find_nothing_wrong,
    forgive_a_refusal,
    look_closely,
    reload_until_there,
)
from tests.browser.visitor import Visitor

FIRST_CALL_MS = 120_000


def create_key(window: Visitor, environment: str, name: str) -> str:
    """Returns the secret that the page shows."""
    page = window.page
    window.goto(f"/portal/{environment}/keys/")
    find_nothing_wrong(window)
    page.get_by_role("link", name=f"Create a {environment} key").click()
    find_nothing_wrong(window)
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Create the key").click()
    secret = read_secret(window)
    assert secret.startswith(f"svc_{environment}_")
    return secret


def read_secret(window: Visitor) -> str:
    expect(window.page.get_by_role("heading", name="Your new secret")).to_be_visible()
    look_closely(window)
    return window.page.locator("#secret").inner_text()


def find_the_secret_gone(window: Visitor, secret: str) -> None:
    """A reload redirects to the key's page, which shows only the beginning of the secret."""
    window.page.reload()
    expect(window.page.get_by_text("A secret is shown once.")).to_be_visible()
    assert secret not in window.page.content()


def wait_at_the_quick_start(window: Visitor) -> None:
    window.goto("/portal/test/quick-start/")
    expect(window.page.get_by_text("Waiting for the first call")).to_be_visible()
    find_nothing_wrong(window)


def run(line: str) -> str:
    """Run a line that a page offers for copying, and return what it printed."""
    return subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, check=True, text=True).stdout


def see_the_quick_start_turn_green(window: Visitor) -> None:
    """Without a reload."""
    arrived = window.page.get_by_role("heading", name="Your first call has arrived")
    expect(arrived).to_be_visible(timeout=FIRST_CALL_MS)
    look_closely(window)


def see_the_call_in_requests(window: Visitor, path: str) -> None:
    window.page.get_by_role("navigation").get_by_role("link", name="Requests").locator("visible=true").click()
    find_nothing_wrong(window)
    window.page.get_by_role("link", name=f"GET {path}").click()
    expect(window.page.get_by_role("heading", name=f"GET {path}")).to_be_visible()
    expect(window.page.get_by_role("heading", name="checks in")).to_be_visible()
    find_nothing_wrong(window)


def rotate_key(window: Visitor, name: str) -> str:
    """Returns the new secret. The old one works for another day."""
    page = window.page
    window.goto("/portal/test/keys/")
    page.get_by_role("link", name=name).click()
    find_nothing_wrong(window)
    page.get_by_role("link", name="Rotate").click()
    page.get_by_label("24 hours").check()
    find_nothing_wrong(window)
    page.get_by_role("button", name="Rotate").click()
    secret = read_secret(window)
    page.get_by_role("link", name="Done").click()
    expect(page.get_by_text("No call with the new secret yet.")).to_be_visible()
    return secret


def see_traffic(window: Visitor, *, new: int, old: int) -> None:
    """The open page of the key shows so many calls with each secret."""
    rows = window.page.get_by_role("region", name="Traffic of each secret").get_by_role("row")

    def row(state: str, calls: int) -> object:
        cell = window.page.get_by_role("cell", name=str(calls), exact=True)
        return rows.filter(has_text=state).filter(has=cell)

    for state, calls in (("New", new), ("Old", old)):
        reload_until_there(window, row(state, calls))  # type: ignore[arg-type]
    look_closely(window)


def end_the_old_secret(window: Visitor) -> None:
    """From the open page of the key, before the overlap ends."""
    page = window.page
    page.get_by_role("link", name="End the old secret now").click()
    expect(page.get_by_text("servers that still use it are cut off")).to_be_visible()
    look_closely(window)
    page.get_by_role("button", name="End the old secret").click()
    expect(page.get_by_text("is the only one that works now")).to_be_visible()
    look_closely(window)


def be_refused_a_live_key(window: Visitor, *, because: str) -> None:
    """The form answers 400 and keeps what was typed."""
    page = window.page
    window.goto("/portal/live/keys/new/")
    page.get_by_label("Name").fill("Live server")
    with page.expect_response("**/portal/live/keys/new/") as answer:
        page.get_by_role("button", name="Create the key").click()
    assert answer.value.status == 400
    expect(page.get_by_role("alert")).to_contain_text(because)
    expect(page.get_by_label("Name")).to_have_value("Live server")
    forgive_a_refusal(window)
    look_closely(window)
