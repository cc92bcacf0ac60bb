"""The search by keyboard alone: `/` and Ctrl-K open it, Enter opens the first of what is found."""

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
    expect(palette.get_by_role("link", name="Create an API key")).to_have_class("menu-item first")
    assert visitor.faults() == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/portal/test/keys/new/")

    page.keyboard.press("Control+k")
    expect(palette.get_by_role("link", name="Audit", exact=True)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(palette.get_by_role("link", name="Add a webhook endpoint")).to_be_focused()
    page.keyboard.press("Escape")
    expect(palette).to_be_hidden()

    page.keyboard.press("Control+k")
    page.keyboard.insert_text(names["booking"])
    page.keyboard.press("Enter")  # before its results are there
    page.wait_for_url(f"**/portal/test/bookings/{names['booking']}/")
    assert visitor.complaints == []


def test_results_appear_as_one_types_and_name_no_traveller(visitor: Visitor, names: dict[str, str]):
    page = visitor.page
    visitor.goto("/portal/test/requests/")
    page.keyboard.press("/")
    palette = page.get_by_role("dialog")
    page.keyboard.type("lovelace", delay=20)
    expect(palette.get_by_role("heading", name="Bookings")).to_be_visible()
    assert "Lovelace" not in palette.inner_text()
    assert visitor.faults() == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/portal/test/bookings/*/")
    page.go_back()
    page.get_by_role("searchbox", name="Search").click()
    expect(palette).to_be_visible()
    assert visitor.complaints == []


def test_without_scripts_the_field_is_a_form(visitor: Visitor, names: dict[str, str]):
    visitor.goto(f"/portal/test/find/?q={names['key'][-6:]}")
    page = visitor.page
    expect(page.locator("#results").get_by_role("link", name="Web shop")).to_have_attribute(
        "href", f"/portal/test/keys/{names['key']}/"
    )
