"""An endpoint, a delivery that fails seven times, and sending it again."""

from playwright.sync_api import Locator, expect

from apps.common import clock
from apps.webhooks.models import Delivery
from apps.webhooks.retry_schedule import MAX_ATTEMPTS
from tests.browser.journey.looking import (
    PATIENCE_SECONDS,
    find_nothing_wrong,
    look_closely,
    reload_until_there,
)
from tests.browser.visitor import Visitor
from tests.chaos.beat import wait_until_none

PATIENCE = PATIENCE_SECONDS * 1000


def register_endpoint(window: Visitor, url: str) -> str:
    """Returns the signing secret."""
    page = window.page
    window.goto("/portal/test/webhooks/")
    find_nothing_wrong(window)
    page.get_by_role("link", name="Add an endpoint").first.click()
    page.get_by_label("URL").fill(url)
    find_nothing_wrong(window)
    page.get_by_role("button", name="Add the endpoint").click()
    expect(page.locator("#secret")).to_be_visible()
    look_closely(window)
    secret = page.locator("#secret").inner_text()
    page.get_by_role("link", name="To the endpoint").click()
    find_nothing_wrong(window)
    return secret


def open_the_delivery(window: Visitor, event: str) -> None:
    window.goto("/portal/test/webhooks/deliveries/")
    link = window.page.get_by_role("link", name=event)
    reload_until_there(window, link)
    find_nothing_wrong(window)
    link.first.click()


def see_it_fail(window: Visitor) -> None:
    """The first of seven dots turns red while the page is open. At the end of the schedule all seven are red."""
    expect(failed(window)).to_have_count(1, timeout=PATIENCE)
    look_closely(window)
    let_the_schedule_pass()
    window.page.reload()
    expect(failed(window)).to_have_count(MAX_ATTEMPTS)
    expect(window.page.get_by_role("heading", name="Failed all 7 attempts")).to_be_visible()
    expect(window.page.get_by_text("answered 500").first).to_be_visible()
    look_closely(window)


def failed(window: Visitor) -> Locator:
    return window.page.get_by_role("list", name="The seven attempts of the schedule").locator(".dot-bad")


def let_the_schedule_pass() -> None:
    """Let the schedule of a day and a half pass, with one attempt after the other."""

    waiting = Delivery.objects.filter(next_attempt_at__isnull=False)

    def unfinished() -> int:
        waiting.filter(lease_token=None).update(next_attempt_at=clock.now())
        return waiting.count()

    wait_until_none(unfinished, PATIENCE_SECONDS)


def resend(window: Visitor) -> None:
    """Send the delivery again, and see it delivered without a reload."""
    window.page.get_by_role("button", name="Send again").click()
    expect(window.page.get_by_role("heading", name="Delivered by a resend")).to_be_visible(timeout=PATIENCE)
    expect(window.page.get_by_role("list", name="Resends").locator(".dot-good")).to_have_count(1)
    expect(failed(window)).to_have_count(MAX_ATTEMPTS)
    look_closely(window)
