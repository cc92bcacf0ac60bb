"""What the reference reads out of the OpenAPI document, and how it words types and limits."""

import re

import pytest

from apps.docs import reference, reference_markdown
from apps.docs.reference import Example, Reader, read
from apps.gateway.openapi import document

REFUSED = {
    "description": "`conflict`, `not_an_error_of_ours`",
    "content": {"application/json": {"examples": {"gone": {"value": {"error": {"type": "price_changed"}}}}}},
}
SMALL = {
    "paths": {
        "/v1/things/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "post": {
                "operationId": "bookThing",
                "tags": ["All things"],
                "summary": "Book a thing",
                "security": [{"apiKey": ["things:book"]}],
                "x-since": "1.2",
                "requestBody": {"$ref": "#/components/requestBodies/Thing"},
                "responses": {
                    "201": {
                        "description": "Booked",
                        "content": {
                            "application/json": {"examples": {"one": {"$ref": "#/components/examples/One"}}}
                        },
                    },
                    "409": {"$ref": "#/components/responses/Refused"},
                },
            },
        }
    },
    "components": {
        "parameters": {"Id": {"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}},
        "requestBodies": {
            "Thing": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}
        },
        "responses": {"Refused": REFUSED},
        "examples": {"One": {"value": {"id": "thing_1"}}},
        "schemas": {
            "Thing": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        },
    },
}


def test_references_are_followed_wherever_they_stand():
    [product] = read(SMALL)
    [thing] = product.operations
    assert (product.slug, product.title, thing.slug, thing.since) == (
        "all-things",
        "All things",
        "book-thing",
        "1.2",
    )
    assert [(where, [field.name for field in fields]) for where, fields in thing.parameters] == [
        ("Path parameters", ["id"])
    ]
    assert [(field.name, field.required) for field in thing.body] == [("name", True)]
    assert thing.answers[0].examples == (Example("one", "", {"id": "thing_1"}),)
    assert [(each.status, each.type) for each in thing.refusals] == [
        ("409", "conflict"),
        ("409", "price_changed"),
    ]


def test_every_operation_of_the_document_has_its_page_and_no_other():
    drawn = {entry["operationId"] for path in document()["paths"].values() for entry in path.values()}
    assert {each.id for each in reference.every()} == drawn
    assert len({(each.product, each.slug) for each in reference.every()}) == len(drawn) > 40


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


DOCUMENT = {
    "components": {
        "schemas": {
            "Tree": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "below": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
                },
            },
            "Place": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        }
    }
}
READER = Reader(DOCUMENT)
PLACE = {"$ref": "#/components/schemas/Place"}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"], "format": "date"}, "date, `YYYY-MM-DD`, or null"),
        ({"type": "array", "items": PLACE}, "list of objects"),
        ({"oneOf": [PLACE, {"type": "null"}]}, "object, or null"),
        ({"allOf": [PLACE], "description": "where"}, "object"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of integers, by name"),
        ({"type": "string", "const": "ticketed"}, "`ticketed`"),
        ({"description": "as it comes"}, "any JSON"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}, "list of list of integers"),
    ],
)  # fmt: skip
def test_types_are_told_in_words(schema, kind):
    assert READER.kind(schema) == kind


def test_limits_are_told_in_words():
    fields = READER.fields(
        {
            "type": "object",
            "properties": {
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                "open": {"type": "string", "x-extensible-enum": ["a", "b"]},
                "kinds": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": ["x"]}},
                "key": {"type": "string", "minLength": 8, "maxLength": 255},
                "flag": {"type": "boolean", "default": False},
            },
        }
    )
    assert {field.name: field.limits for field in fields} == {
        "limit": "1 to 100; `20` unless told",
        "open": "known today: `a`, `b`",
        "kinds": "at least 1 items; one of `x`",
        "key": "8 to 255 characters",
        "flag": "`false` unless told",
    }


def test_what_may_be_null_has_its_fields_below_it():
    [field] = READER.fields({"properties": {"from": {"oneOf": [PLACE, {"type": "null"}]}}})
    assert [(child.name, child.required) for child in field.children] == [("city", True)]


def test_a_schema_within_itself_ends():
    [_, below] = READER.fields({"$ref": "#/components/schemas/Tree"})
    [_, deeper] = below.children
    assert (below.kind, deeper.children) == ("list of objects", ())


def test_what_stands_beside_a_reference_comes_first():
    [field] = READER.fields({"properties": {"place": {**PLACE, "description": "of the stay"}}})
    assert (field.description, field.kind) == ("of the stay", "object")
