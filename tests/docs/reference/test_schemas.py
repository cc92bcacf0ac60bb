import pytest

from apps.docs.reference import Reader

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
