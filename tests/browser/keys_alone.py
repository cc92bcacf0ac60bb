"""A visitor without a mouse: what is not reached with Tab, arrows and Enter is not there."""

import re
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor

MOST_TABS = 140
FOCUSED = """() => {
  const here = document.activeElement;
  const label = here.labels?.[0]?.textContent;
  const name = (here.ariaLabel ?? label ?? here.textContent).replace(/\\s+/g, " ").trim();
  const box = here.getBoundingClientRect(), style = getComputedStyle(here);
  const after = getComputedStyle(here, "::after");
  const shown = [style, after].some((each) => each.outlineStyle !== "none" && parseFloat(each.outlineWidth) > 0);
  return [name, here !== document.body && shown && box.right > 0 && box.left < innerWidth];
}"""


@dataclass(frozen=True, slots=True)
class Keys:
    visitor: Visitor

    @property
    def page(self) -> Page:
        return self.visitor.page

    def reach(self, name: str) -> None:
        """Press Tab until what is called so has the focus, and see the focus on it."""
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            found, seen = self.page.evaluate(FOCUSED)
            if re.fullmatch(name, found):
                assert seen, f"{name} has the focus, and does not show it"
                return
        raise AssertionError(f"The keyboard does not reach {name}")

    def press(self, name: str) -> None:
        self.reach(name)
        self.page.keyboard.press("Enter")

    def write(self, name: str, text: str) -> None:
        self.reach(name)
        self.page.keyboard.insert_text(text)

    def palette(self, text: str, address: str) -> None:
        """Open the palette, write, and come to a page of this address."""
        self.page.keyboard.press("Control+k")
        expect(self.page.get_by_role("dialog").get_by_role("link").first).to_be_visible()
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(address)

    def fits(self) -> None:
        """Nothing is wider than the window, and axe finds nothing grave."""
        size = self.page.viewport_size
        assert size is not None
        assert self.visitor.overflow(size["width"]) <= 0, self.page.url
        assert self.visitor.faults() == [], self.page.url
