"""Charts to read: texts that do not shrink, values under the pointer and by the keyboard."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/portal/test/components/"
WIDTHS = (390, 768, 1280, 1920)


@pytest.mark.slow
def test_texts_are_large_enough_and_within_the_chart_at_every_width(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    visitor.goto(PAGE)
    measure = """() => [...document.querySelectorAll(".chart text")].map((text) => {
      const own = text.getBoundingClientRect(), frame = text.closest(".plot").getBoundingClientRect();
      const drawn = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
      return [drawn >= 11, own.left >= frame.left - 1 && own.right <= frame.right + 1];
    })"""
    for width in WIDTHS:
        visitor.page.set_viewport_size({"width": width, "height": 900})
        measured = visitor.page.evaluate(measure)
        assert len(measured) >= 12
        assert [each for each in measured if each != [True, True]] == [], width


def test_values_are_told_under_the_pointer_and_by_the_arrows(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    visitor.goto(PAGE)
    page, tip = visitor.page, visitor.page.locator(".tip")
    plot = page.locator("[data-plot]").first
    plot.scroll_into_view_if_needed()
    box = plot.locator(".plot-area").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 60)
    expect(tip).to_have_text("1 Nov 2026 2xx: 4 4xx: 0 5xx: 0", use_inner_text=True)
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    page.get_by_role("slider").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(plot).to_be_focused()
    page.keyboard.press("Home")
    expect(plot).to_have_attribute("aria-valuetext", "1 Nov 2026, 2xx: 4, 4xx: 0, 5xx: 0")
    page.keyboard.press("ArrowRight")
    expect(plot).to_have_attribute("aria-valuetext", "2 Nov 2026, 2xx: 9, 4xx: 1, 5xx: 0")
    expect(tip).to_have_text("2 Nov 2026 2xx: 9 4xx: 1 5xx: 0", use_inner_text=True)
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.get_by_text("Show as a table").first.click()
    expect(page.get_by_role("row", name="2 Nov 2026 9 1 0")).to_be_visible()
    assert visitor.complaints == []


def test_a_histogram_filters_its_list_with_and_without_scripts(browser, live_server, owner: Person):
    """A bar for the pointer, the same link in the table for the keyboard, a status by the legend."""
    add_sample_data(owner.account, owner.user)
    for scripts in (True, False):
        context = browser.new_context(base_url=live_server.url, java_script_enabled=scripts)
        visitor = Visitor(context.new_page(), context, live_server.url)
        visitor.carry_session_of(owner)
        page = visitor.page
        visitor.goto("/portal/test/requests/?last=24h")
        page.locator(".plot-area a").last.click()
        page.wait_for_url("**/requests/?within=*")
        page.get_by_role("navigation", name="Status in the chart").get_by_role("link", name="4xx").click()
        page.wait_for_url("**/requests/?within=*&status=4")
        expect(page.get_by_role("link", name="4xx", exact=True)).to_have_attribute("aria-current", "true")
        statuses = page.locator("tbody .state .pill").all_inner_texts()
        assert statuses
        assert all(text.startswith("4") for text in statuses)
        page.get_by_text("Show as a table").click()
        page.get_by_role("row").get_by_role("link", name=" to ").last.press("Enter")
        page.wait_for_url("**/requests/?status=4&within=*")
        if scripts:
            assert visitor.faults() == []
            assert page.locator(".plot-area a[tabindex='-1']").count() > 0
            assert page.get_by_role("slider").count() == 0, "Its links are not hidden in a slider"
        context.close()
