"""Charts to read: texts that do not shrink, values under the pointer and by the keyboard."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.portal.person import Person

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
