"""One request, one booking, one delivery: what folds, what copies, what is ticked; with a mouse, with keys, without scripts."""

import json

import pytest
from playwright.sync_api import Browser, expect

from apps.webhooks.models import Delivery
from tests.browser.visitor import Visitor
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db(transaction=True)
REQUEST = "/portal/test/requests/{booking_request}/"
DELIVERIES = "/portal/test/webhooks/deliveries/"


@pytest.fixture
def names(owner: Person, visitor: Visitor) -> dict[str, str]:
    visitor.carry_session_of(owner)
    return add_sample_data(owner.account, owner.user)


def test_an_answer_folds_and_checks_unfold_by_keys_and_without_scripts(
    browser: Browser, live_server, owner: Person, names: dict[str, str]
):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    visitor = Visitor(context.new_page(), context, live_server.url)
    visitor.carry_session_of(owner)
    visitor.goto(REQUEST.format(**names))
    page = visitor.page
    reference = page.locator("#answer .json-name", has_text='"reference"').last
    expect(reference).to_be_visible()
    page.locator("#answer summary").first.focus()
    page.keyboard.press("Enter")
    expect(reference).not_to_be_visible()
    checks = page.locator(".fold-card .timeline")
    expect(checks).not_to_be_visible()
    page.locator(".fold-card > summary").focus()
    page.keyboard.press("Enter")
    expect(checks).to_be_visible()
    context.close()


def test_ids_and_json_are_copied_whole(visitor: Visitor, names: dict[str, str]):
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.goto(REQUEST.format(**names))
    page = visitor.page
    page.get_by_role("button", name="Copy request id").click()
    expect(page.get_by_role("button", name="Copied request id")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == names["booking_request"]
    request_id = page.locator("dd .copyable", has_text=names["booking_request"][-8:])
    page.evaluate("navigator.clipboard.writeText('')")
    request_id.locator(".mono").click()
    expect(request_id.get_by_role("button")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == names["booking_request"], "By a click on the id"
    page.locator("#answer summary").first.click()  # folded, it is copied whole all the same
    page.locator(".code:has(#answer) .copy").click()
    expect(page.locator(".code:has(#answer) .copy")).to_contain_text("Copied")
    assert json.loads(page.evaluate("navigator.clipboard.readText()"))["id"] == names["booking"]
    assert visitor.complaints == []


def test_deliveries_are_ticked_with_keys_and_sent(visitor: Visitor, names: dict[str, str]):
    visitor.goto(f"{DELIVERIES}?status=EXHAUSTED")
    page = visitor.page
    button = page.get_by_role("button", name="Send again")
    expect(button).to_be_disabled()
    everything = page.get_by_role("checkbox", name="Tick all")
    everything.focus()
    page.keyboard.press("Space")
    boxes = page.locator("tbody input[type=checkbox]")
    ticked = boxes.count()
    assert ticked > 2
    expect(button).to_have_text(f"Send again ({ticked})")
    boxes.first.focus()
    page.keyboard.press("Space")
    expect(button).to_have_text(f"Send again ({ticked - 1})")
    button.press("Enter")
    expect(page.locator(".alert").first).to_contain_text(f"{ticked - 1} sent now.")
    assert Delivery.objects.exclude(status_before_resend=None).count() == ticked - 1
    assert visitor.complaints == []


@pytest.mark.slow
def test_a_booking_is_cancelled_by_keys_once_its_cost_is_shown(visitor: Visitor, names: dict[str, str]):
    visitor.goto("/portal/test/bookings/{booking}/".format(**names))
    page = visitor.page
    page.get_by_role("button", name="Cancel…").press("Enter")
    cancel = page.get_by_role("button", name="Cancel (fee")
    expect(cancel).to_be_visible()
    assert visitor.unfit() == []
    cancel.press("Enter")
    expect(page.locator(".alert").first).to_contain_text("The booking is cancelled.")
    assert visitor.complaints == []


def test_a_preset_ticks_its_scopes_and_keeps_what_was_typed(names: dict[str, str], visitor: Visitor):
    visitor.goto("/portal/test/keys/new/")
    page = visitor.page
    page.get_by_label("Name").fill("Web shop")
    page.get_by_role("link", name="Read only").focus()
    page.keyboard.press("Enter")
    ticked = page.locator("[name=scopes]:checked")
    expect(ticked).to_have_count(3)
    expect(page.get_by_label("Name")).to_have_value("Web shop")
    current = page.locator(".presets [aria-current=true]")
    expect(current).to_have_text("Read only")
    page.get_by_role("checkbox", name="hotels:search").check()
    expect(current).to_have_count(0)


def test_a_preset_fills_the_form_without_scripts(browser: Browser, live_server, owner: Person):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    visitor = Visitor(context.new_page(), context, live_server.url)
    visitor.carry_session_of(owner)
    visitor.goto("/portal/test/keys/new/")
    visitor.page.get_by_role("link", name="Search only").click()
    expect(visitor.page.locator("[name=scopes]:checked")).to_have_count(5)
    context.close()
