"""A new secret is shown once and copied; the quick start turns green by itself."""

import re

import pytest
from playwright.sync_api import expect

from apps.keys import authentication
from tests.browser.visitor import Visitor
from tests.portal.person import Person
from tests.portal.reading import SECRET
from tests.portal.sample_data import write_down
from tests.support.api import Api

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_key_is_created_copied_and_not_shown_again(visitor: Visitor, owner: Person):
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.carry_session_of(owner)
    page = visitor.page
    visitor.goto("/portal/test/keys/new/")
    page.get_by_label("Allowed addresses").fill("everywhere")
    page.get_by_role("button", name="Create the key").click()
    expect(
        page.get_by_role("alert").get_by_text("'everywhere' is not an IPv4 address or CIDR range.")
    ).to_be_visible()
    assert visitor.unfit() == []

    page.get_by_label("Allowed addresses").fill("")
    page.get_by_label("Name").fill("Web shop")
    page.get_by_label("webhooks:manage").check()
    page.get_by_role("button", name="Create the key").click()
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    secret = page.evaluate("navigator.clipboard.readText()")
    assert "webhooks:manage" in authentication.authenticate(secret).scopes
    assert visitor.unfit() == []

    page.reload()
    expect(page.get_by_role("heading", name="Web shop")).to_be_visible()
    assert SECRET.search(page.content()) is None
    assert [said for said in visitor.complaints if "status of 400" not in said] == []


@pytest.mark.slow
def test_the_quick_start_turns_green_with_the_first_call(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    page = visitor.page
    visitor.goto("/portal/test/quick-start/")
    page.get_by_role("button", name="Create a test key now").click()
    page.get_by_text("JavaScript", exact=True).click()
    secret = SECRET.findall(page.locator("#call-javascript").inner_text())[0]
    expect(page.get_by_text("Waiting for the first call")).to_be_visible()
    assert visitor.unfit() == []

    assert Api(secret).get("/v1/account").status == 200
    write_down()

    expect(page.get_by_role("heading", name="Your first call has arrived")).to_be_visible()
    expect(page.get_by_text(re.compile("shown once"))).to_be_visible()
    assert (visitor.unfit(), visitor.complaints) == ([], [])
