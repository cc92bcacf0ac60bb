"""The documentation in a browser: samples in tabs; the forms of Try it call the service."""

import json

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser, expect

from apps.gateway.openapi import document
from tests.browser.visitor import NARROW, Visitor
from tests.factories.gateway import api_of_new_partner


@pytest.mark.slow
def test_the_form_tries_an_operation_with_a_key_as_its_form_stands(visitor: Visitor):
    api = api_of_new_partner(cents=10_000)
    page = visitor.page
    visitor.goto("/docs/reference/try")
    page.get_by_role("button", name="Authorize").first.click()
    page.locator(".modal-ux input").fill(api.secret)
    page.locator(".modal-ux").get_by_role("button", name="Apply credentials").click()
    page.locator(".modal-ux").get_by_role("button", name="Close").last.click()
    operation = page.locator(".opblock", has=page.locator("[data-path='/v1/flights/searches']"))
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table .response")
    answer.wait_for()
    assert answer.locator(".response-col_status").inner_text().startswith("201")
    assert visitor.overflow(NARROW) == 0
    assert [complaint for complaint in visitor.complaints if "Content Security" in complaint] == []


def test_every_form_begins_with_a_body_that_the_document_admits(visitor: Visitor):
    visitor.goto("/docs/reference/try")
    begun = json.loads(visitor.page.locator("#reference").get_attribute("data-examples"))
    methods = [entry for path in document()["paths"].values() for entry in path.values()]
    taken = {entry["operationId"]: entry["requestBody"] for entry in methods if "requestBody" in entry}

    assert set(begun) >= set(taken)  # the others are those of the sandbox
    for operation_id in taken:
        body = begun[operation_id]
        schema = taken[operation_id]["content"]["application/json"]["schema"]
        whole = {**schema, "components": document()["components"]}
        assert list(Draft202012Validator(whole).iter_errors(body)) == [], operation_id


def test_without_scripts_all_languages_read_one_after_another(browser: Browser, live_server):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/docs/reference/hotels/create-hotel-booking")
    for language in ("curl", "Python", "TypeScript", "PHP"):
        expect(page.get_by_role("heading", name=language, exact=True)).to_be_visible()
    assert page.get_by_role("button", name="Copy").count() == 0
    page.get_by_text("fields of guests").first.click()
    expect(page.get_by_text("firstName", exact=True).first).to_be_visible()
    context.close()


def test_an_old_address_of_the_form_still_leads_to_it(visitor: Visitor):
    visitor.goto("/docs/reference#/hotels/createHotelBooking")
    visitor.page.wait_for_url("**/docs/reference/try#/hotels/createHotelBooking")


def test_the_search_answers_while_one_types(visitor: Visitor):
    page = visitor.page
    visitor.goto("/docs/guides/hotels")
    page.keyboard.press("/")
    field = page.get_by_role("searchbox").first
    expect(field).to_be_focused()
    field.fill("price_changed")
    expect(page.get_by_role("link", name="price_changed", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Hotels", exact=True)).to_be_hidden()
    field.fill("")
    expect(page.get_by_role("heading", name="Hotels", exact=True)).to_be_visible()
    field.fill("webhook")
    field.press("Enter")
    page.wait_for_url("**/docs/search?q=webhook")
    expect(page.get_by_role("status").first).to_contain_text("with “webhook”")
    assert visitor.complaints == []
