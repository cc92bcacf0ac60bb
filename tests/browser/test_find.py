"""The search by keyboard alone: `/` leads to the field, Ctrl-K opens the palette of pages and actions."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def names(visitor: Visitor, owner: Person) -> dict[str, str]:
    found = add_sample_data(owner.account, owner.user)
    visitor.carry_session_of(owner)
    return found


def test_from_a_pasted_request_id_to_its_page_by_keys(visitor: Visitor, names: dict[str, str]):
    page = visitor.page
    visitor.goto("/portal/audit/")
    page.keyboard.press("/")
    page.keyboard.insert_text(names["request"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/portal/test/requests/{names['request']}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("/v1/hotels/searches")
    assert visitor.complaints == []


def test_the_palette_leads_to_pages_actions_and_ids(visitor: Visitor, names: dict[str, str]):
    page = visitor.page
    visitor.goto("/portal/test/")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog")
    expect(palette.get_by_role("link", name="Create an API key")).to_be_visible()
    page.keyboard.type("create key")
    expect(palette.get_by_role("link")).to_have_count(1)
    assert visitor.faults() == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/portal/test/keys/new/")

    page.keyboard.press("Control+k")
    expect(palette.get_by_role("link", name="Audit")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(palette.get_by_role("link", name="Quick start")).to_be_focused()
    page.keyboard.press("Escape")
    expect(palette).to_be_hidden()

    page.keyboard.press("Control+k")
    page.keyboard.insert_text(names["booking"])
    expect(palette.get_by_text("Enter looks for an id.")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/portal/test/bookings/{names['booking']}/")
    assert visitor.complaints == []
