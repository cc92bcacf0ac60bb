"""What the reference reads out of the OpenAPI document, and how it words types and limits."""

import re

from django.test import Client

from apps.docs import reference, reference_markdown
from apps.gateway.openapi import document, sandbox_document


def test_every_operation_of_the_document_has_its_page_and_no_other():
    drawn = {entry["operationId"] for path in document()["paths"].values() for entry in path.values()}
    assert {each.id for each in reference.every()} == drawn
    assert len({(each.product, each.slug) for each in reference.every()}) == len(drawn) > 40


def test_the_sandbox_is_a_section_of_its_own():
    *_, last = reference.products()
    assert (last.slug, last.title) == ("sandbox", "Sandbox (test only)")
    drawn = {entry["operationId"] for path in sandbox_document()["paths"].values() for entry in path.values()}
    assert {each.id for each in last.operations} == drawn
    page = Client().get("/docs/reference/sandbox/set-sandbox-faults").content.decode()
    assert "errorShare" in page
    assert "Test keys only" in page


def test_every_refusal_of_the_document_is_told_of():
    """A status without a type would be missing from the page."""
    every = reference.every()
    assert every
    for each in every:
        entry = document()["paths"][each.path][each.method.lower()]
        refused = {status for status in entry["responses"] if not status.startswith("2")}
        told = {refusal.status for refusal in each.refusals}
        assert told == refused or not each.path.startswith("/v1"), each.id


def test_a_booking_says_what_it_takes():
    booking = reference.by_id("createHotelBooking")
    assert (booking.method, booking.path, booking.scope) == ("POST", "/v1/hotels/bookings", "hotels:book")
    assert [field.name for field in booking.body if field.required] == ["rateId", "guests", "contact"]
    guests = next(field for field in booking.body if field.name == "guests")
    kind = next(field for field in guests.children if field.name == "type")
    assert (guests.kind, guests.limits) == ("list of objects", "1 to 80 items")
    assert (kind.limits, kind.description.startswith("*")) == ("one of `adult`, `child`", False)
    assert ("402", "insufficient_funds") in {(each.status, each.type) for each in booking.refusals}


def test_the_page_as_markdown_has_every_field_at_its_depth():
    text = reference_markdown.of_operation(reference.by_id("createHotelBooking"))
    assert re.search(
        r"\n- `guests` \(list of objects, required, 1 to 80 items\).*\n  - `firstName` \(string, required",
        text,
    )
    assert "\n- `externalReference` (string, or null" in text
    assert "- 409 [`price_changed`](/docs/errors/price_changed.md)" in text


def test_objects_of_several_kinds_show_what_they_have_in_common():
    entry = document()["paths"]["/v1/bookings"]["get"]["responses"]["200"]["content"]["application/json"]
    (data, *_rest) = reference.fields_of(entry["schema"])
    shown = {field.name: field.limits for field in data.children}
    assert shown["bookingType"] == "one of `hotel`, `flight`, `transfer`, `esim`"
    assert shown["status"].startswith(
        "known today: `pending`, `awaiting_approval`, `confirmed`, `cancelled`, `failed`, `on_hold`"
    )
    assert shown["environment"] == "known today: `test`, `live`"
    assert {"checkIn", "pnr", "quoteId", "iccid"}.isdisjoint(shown)
