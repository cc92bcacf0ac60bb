"""Home updates by itself, and takes nothing out of anybody's hands."""

import pytest
from playwright.sync_api import Page, expect

from apps.common import clock
from apps.request_log.models import CallHour
from tests.browser.test_lists import called
from tests.browser.visitor import WIDE, Visitor
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import Person

pytestmark = pytest.mark.django_db(transaction=True)
HOME = "/portal/test/"
STATE = """() => [
  document.activeElement.getAttribute("href"), getSelection().toString(),
  Math.round(document.activeElement.getBoundingClientRect().top),
]"""


def more_calls(owner: Person, count: int) -> None:
    """Log calls of this hour and count them, as the worker does."""
    called(owner, count, created_at=clock.now())
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    row, _ = CallHour.objects.get_or_create(
        account=owner.account,
        environment="test",
        hour=hour,
        key=owner.account.keys.get(),
        defaults={"calls": 0, "errors": 0, "first_call_at": hour, "last_call_at": hour},
    )
    CallHour.objects.filter(pk=row.pk).update(calls=row.calls + count, errors=row.errors + count)


def go_on(page: Page, seconds: int) -> None:
    """The page's own timer runs ahead, one round of asking after another."""
    for _ in range(seconds // 30):
        with page.expect_response(lambda response: response.url.endswith(HOME)):
            page.clock.run_for(30_000)


@pytest.mark.slow
def test_numbers_follow_and_focus_selection_and_position_stay(visitor: Visitor, owner: Person):
    more_calls(owner, 3)
    visitor.carry_session_of(owner)
    page = visitor.page
    page.clock.install()
    page.set_viewport_size({"width": WIDE, "height": 600})  # so that there is something to scroll
    visitor.goto(HOME)
    calls, errors = (page.locator(f"[data-live={name}] .stat-value") for name in ("calls", "errors"))
    expect(calls).to_have_text("3")
    page.locator("[data-live=by-type] summary, [data-live=by-type] a").last.focus()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1')); scrollTo(0, 200)")
    before = page.evaluate(STATE)
    more_calls(owner, 2)
    EndpointFactory(account=owner.account, environment="test", consecutive_failures=7)
    go_on(page, 60)
    expect(calls).to_have_text("5")
    expect(errors).to_have_text("5")
    expect(page.get_by_text("is at 7 of 10 failed deliveries in a row")).to_be_visible()
    assert page.evaluate(STATE) == before
    expect(page.locator("[data-live=by-type] td a")).to_have_text("3")  # it has the focus: it waits
    page.locator("h1").click()
    page.evaluate("document.activeElement.blur()")
    go_on(page, 30)
    expect(page.locator("[data-live=by-type] td a")).to_have_text("5")
    page.locator("[data-plot]").focus()
    page.keyboard.press("End")
    assert "2xx: 0, 4xx: 5, 5xx: 0" in str(page.locator("[data-plot]").get_attribute("aria-valuetext"))
    assert visitor.complaints == []


def test_a_hidden_tab_asks_nothing_and_asks_again_when_it_is_looked_at(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    page = visitor.page
    page.clock.install()
    visitor.goto(HOME)
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => window.away ?? true, configurable: true })"
    )
    page.clock.run_for(120_000)
    assert asked == []
    with page.expect_response(lambda response: response.url.endswith(HOME)):
        page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert len(asked) == 1
