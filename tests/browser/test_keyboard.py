"""Whole journeys by keyboard alone, at four widths in both schemes. The suite takes one of the eight, and `make pages` all."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from apps.bookings.models import Booking
from tests.browser.keys_alone import Keys
from tests.browser.visitor import FULL, HEIGHTS, NARROW, TABLET, WIDE, Visitor
from tests.portal.person import PASSWORD, Person, code_now
from tests.portal.sample_data import add_sample_data

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
WINDOWS = [(width, scheme) for width in (NARROW, TABLET, WIDE, FULL) for scheme in ("dark", "light")]
A_FEW = [(NARROW, "dark")]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    windows = WINDOWS if metafunc.config.getoption("--every-page") else A_FEW
    metafunc.parametrize("keys", windows, indirect=True, ids=lambda window: f"{window[0]}-{window[1]}")


@pytest.fixture
def keys(request: pytest.FixtureRequest, browser: Browser, live_server) -> Iterator[Keys]:
    width, scheme = request.param
    with Visitor.arrive(browser, live_server.url, scheme=scheme) as visitor:
        visitor.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        yield Keys(visitor)
        assert visitor.complaints == []


def test_from_the_sign_in_to_a_key_and_from_a_pasted_id_to_a_cancelled_booking(keys: Keys, owner: Person):
    names = add_sample_data(owner.account, owner.user)
    page = keys.page
    keys.visitor.goto("/account/login/")
    keys.write("Email", owner.user.email)
    keys.write("Password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Two-factor authentication")).to_be_visible()
    keys.write("Code", code_now())
    page.keyboard.press("Enter")
    page.wait_for_url("**/portal/test/")

    keys.palette("create key", "**/portal/test/keys/new/")
    keys.write("Name.*", "By keys")
    keys.press("Create the key")
    expect(page.locator("#secret")).to_contain_text("svc_test_")
    keys.fits()

    keys.palette(names["booking_request"], f"**/requests/{names['booking_request']}/")
    keys.press(names["booking"])
    page.wait_for_url(f"**/bookings/{names['booking']}/")
    keys.press("Cancel…")
    expect(page.get_by_text("Cancelling now would cost")).to_be_visible()
    keys.fits()
    keys.press(r"Cancel \(fee .*")
    expect(page.locator(".page-header .pill")).to_have_text("Cancelled")
    assert Booking.objects.get(pk=names["booking"]).status == "cancelled"


def test_a_list_is_filtered_and_keeps_its_filter_on_the_way_back(keys: Keys, owner: Person):
    add_sample_data(owner.account, owner.user)
    keys.visitor.carry_session_of(owner)
    page = keys.page
    keys.visitor.goto("/portal/test/requests/")
    if page.viewport_size == {"width": NARROW, "height": HEIGHTS[NARROW]}:
        keys.press("Filters")
    keys.press("Operation or path")
    expect(page.get_by_label("Operation or path")).to_be_focused()
    page.keyboard.insert_text("/v1/flights/searches")
    page.keyboard.press("Enter")
    page.wait_for_url("**/requests/?*flights*")
    filtered = page.url
    keys.fits()
    rows = page.locator(".rows .row-link")
    keys.reach("POST /v1/flights/searches")
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/requests/*-*/")
    page.go_back()
    assert page.url == filtered
    expect(rows).to_have_count(4)


def test_what_awaits_approval_is_approved_from_the_queue(keys: Keys, owner: Person):
    names = add_sample_data(owner.account, owner.user)
    keys.visitor.carry_session_of(owner)
    keys.visitor.goto("/portal/test/")
    keys.palette("approvals", "**/portal/test/approvals/")
    keys.fits()
    keys.press("Approve F-.*")
    keys.page.wait_for_url(f"**/bookings/{names['awaiting']}/approve/")
    keys.fits()
    keys.press("Approve for .*")
    expect(keys.page.locator(".page-header .pill")).to_have_text("Ticketed")
    assert Booking.objects.get(pk=names["awaiting"]).status == "ticketed"
    keys.fits()


def test_a_rejected_form_has_its_summary_in_view_and_focused_and_it_leads_to_the_field(
    keys: Keys, owner: Person
):
    keys.visitor.carry_session_of(owner)
    page = keys.page
    keys.visitor.goto("/portal/test/keys/new/")
    keys.press("Create the key")
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary).to_be_in_viewport()
    expect(page).to_have_title(re.compile("^Error: "))
    keys.visitor.complaints.remove(
        "/portal/test/keys/new/: Failed to load resource: the server responded with a status of 400 (Bad Request)"
    )
    keys.fits()
    keys.press("Name: This field is required\\.")
    expect(page.locator("#id_name")).to_be_focused()
