"""Lists that one works in: rows of one line that lead to their page, columns that fit, and no list that moves by itself."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from apps.common import clock
from apps.request_log.models import LoggedCall
from tests.browser.visitor import TABLET, WIDE, Visitor
from tests.factories.keys import issued_key
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/portal/test/requests/"
LONG = "/v1/flights/orders/ford_01kb2c8x000000000000000000/schedule-changes/change_01kb2c8x000000000000000000/accept"
OTHERS = ["/portal/audit/", "/portal/team/", "/portal/test/keys/", "/portal/test/balance/"]
ONE_LINE, TWO_LINES = 38, 58
LISTS = {
    LIST: TWO_LINES,  # below a call that was refused stands why
    "/portal/test/bookings/": ONE_LINE,
    "/portal/test/balance/ledger/": ONE_LINE,
    "/portal/test/webhooks/deliveries/": ONE_LINE,
}
"""Each with how high a row may be."""


def called(owner: Person, count: int, **more: object) -> None:
    """Write `count` calls into the log, the newest now."""
    key = owner.account.keys.first() or issued_key(owner.account)[0]
    written = LoggedCall.objects.count()
    LoggedCall.objects.bulk_create(
        LoggedCall(
            **{
                "request_id": f"00000000-0000-4000-8000-{written + number:012}",
                "created_at": clock.now() - timedelta(seconds=count - number),
                "account_id": owner.account.pk,
                "environment": "test",
                "key": key,
                "method": "POST",
                "path": LONG,
                "status": 409,
                "error_type": "idempotency_key_in_progress",
                "duration_ms": 12_345.6,
                "replayed": True,
                **more,
            }
        )
        for number in range(count)
    )


@pytest.mark.slow
def test_every_row_is_one_line_and_every_column_fits(visitor: Visitor, owner: Person):
    add_sample_data(owner.account, owner.user)
    called(owner, 60)
    visitor.carry_session_of(owner)
    measured = """() => {
      const rows = [...document.querySelectorAll(".rows tbody tr")], frame = document.querySelector(".table-scroll");
      return {
        heights: [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))],
        above: rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
        hidden: frame.scrollWidth - frame.clientWidth,
      };
    }"""
    for path, height in LISTS.items():
        visitor.goto(path)
        for width in (WIDE, 1024, TABLET):
            visitor.page.set_viewport_size({"width": width, "height": 800})
            seen = visitor.page.evaluate(measured)
            assert (max(seen["heights"]) <= height, seen["hidden"]) == (True, 0), (path, width, seen)
            if (path, width) == (LIST, WIDE):
                assert seen["above"] >= 8, seen  # below the chart
        assert visitor.unfit() == [], path
    for path in OTHERS:
        visitor.goto(path)
        for width in (WIDE, 1024, TABLET):
            visitor.page.set_viewport_size({"width": width, "height": 800})
            assert visitor.page.evaluate(measured)["hidden"] == 0, (path, width)
    assert visitor.complaints == []


def test_a_row_leads_to_its_page_from_anywhere_and_by_the_arrows(visitor: Visitor, owner: Person):
    called(owner, 3)
    visitor.carry_session_of(owner)
    page = visitor.page
    visitor.goto(LIST)
    box = page.locator(".rows tbody tr").nth(1).locator("td").last.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    page.wait_for_url(f"**{LIST}00000000-0000-4000-8000-000000000001/")
    page.go_back()
    link = page.locator(".rows .row-link")
    link.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(link.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{LIST}00000000-0000-4000-8000-000000000000/")


def test_newer_rows_are_offered_and_nothing_else_moves(visitor: Visitor, owner: Person):
    """Focus, selection and position stay over a minute of asking: the page's own timer runs ahead."""
    called(owner, 40, created_at=clock.now() - timedelta(minutes=5))
    visitor.carry_session_of(owner)
    page = visitor.page
    page.clock.install()
    visitor.goto(LIST)
    page.locator(".rows .row-link").nth(20).focus()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1')); scrollTo(0, 300)")
    before = page.evaluate(STATE)
    called(owner, 3)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "newer_than" in request.url else None)
    for _ in range(6):
        with page.expect_response(lambda response: "newer_than" in response.url):
            page.clock.run_for(10_000)
    expect(page.get_by_role("link", name="3 new")).to_be_visible()
    assert page.evaluate(STATE) == before
    assert len(asked) == 6

    page.get_by_role("link", name="3 new").click()
    expect(page.locator(".rows tbody tr")).to_have_count(43)
    expect(page.get_by_role("link", name="3 new")).to_be_hidden()
    assert visitor.complaints == []


STATE = """() => [
  document.activeElement.getAttribute("href"), getSelection().toString(), scrollY,
  document.querySelectorAll(".rows tbody tr").length,
]"""


@pytest.mark.parametrize("zone", ["Europe/Berlin"])
def test_a_time_is_told_in_the_browsers_zone_and_in_utc_where_its_row_has_the_focus(
    browser, live_server, owner: Person, zone: str
):
    called(owner, 3)
    context = browser.new_context(base_url=live_server.url, timezone_id=zone)
    visitor = Visitor(context.new_page(), context, live_server.url)
    visitor.carry_session_of(owner)
    page = visitor.page
    visitor.goto("/portal/test/")  # its script tells the zone, and the next page is written in it
    visitor.goto(LIST)
    expect(page.get_by_role("link", name=zone)).to_be_visible()
    told = page.locator("tbody time").nth(1).get_attribute("title")
    assert told is not None
    assert re.fullmatch(r"\d+ \w{3} \d{4}, [\d:]{8} CES?T · (\d+ \w{3} \d{4}, )?[\d:]{8} UTC", told)
    page.locator(".rows .row-link").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".tip")).to_have_text(told)
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_be_hidden()
    assert visitor.complaints == []
    context.close()
