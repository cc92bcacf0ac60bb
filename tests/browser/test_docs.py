"""The documentation in a browser: the forms of the API reference call the service."""

import json

from jsonschema import Draft202012Validator

from apps.gateway.openapi import document
from tests.browser.visitor import NARROW, Visitor
from tests.factories.gateway import api_of_new_partner


def test_the_reference_tries_an_operation_with_a_key_as_its_form_stands(visitor: Visitor):
    api = api_of_new_partner(cents=10_000)
    page = visitor.page
    visitor.goto("/docs/reference")
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


def test_every_form_of_the_reference_begins_with_a_body_that_the_document_admits(visitor: Visitor):
    visitor.goto("/docs/reference")
    begun = json.loads(visitor.page.locator("#reference").get_attribute("data-examples"))
    methods = [entry for path in document()["paths"].values() for entry in path.values()]
    taken = {entry["operationId"]: entry["requestBody"] for entry in methods if "requestBody" in entry}

    assert set(begun) == set(taken)
    for operation_id, body in begun.items():
        schema = taken[operation_id]["content"]["application/json"]["schema"]
        whole = {**schema, "components": document()["components"]}
        assert list(Draft202012Validator(whole).iter_errors(body)) == [], operation_id
