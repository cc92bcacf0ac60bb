"""What validation says, in one voice: a table of every kind of field with every code, and of what is said in the end."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from apps.bookings.serializers import Phone
from apps.common.errors import InvalidRequest
from apps.gateway import fields
from apps.gateway.declared import Declared, counted
from apps.gateway.serializers import Body, validate
from tests.support.operations import operations

VOICE = re.compile(r"(must|is) [^\"']*[^.]")
CHOICES = ["a", "b"]


class Inner(Body):
    word = fields.Text(max_length=1, min_length=1)


KINDS: list[tuple[serializers.Field[Any, Any, Any, Any], dict[str, object]]] = [
    (fields.Text(), {
        "is required": ..., "must not be null": None, "must be a string": 5, "must not be empty": " ",
        "must have at most 255 characters": "x" * 256,
    }),
    (fields.Text(max_length=1), {"must have at most 1 character": "xx"}),
    (fields.Text(min_length=1), {"must not be empty": ""}),
    (fields.Text(min_length=2), {"must have at least 2 characters": "x"}),
    (fields.Text(printable=True), {"must have printable characters only": "a\nb"}),
    (fields.Id(), {"must be a string": []}),
    (fields.Whole(min_value=1, max_value=100), {
        "is required": ..., "must not be null": None, "must be a whole number": 1.5, "must be at least 1": 0,
        "must be at most 100": 101,
    }),
    (fields.Cents(), {"must be at least 0": -1, "must be at most 1000000000000": 10**12 + 1}),
    (fields.Number(min_value=-90, max_value=90.5), {
        "is required": ..., "must not be null": None, "must be a number": "1", "must be at least -90": -91,
        "must be at most 90.5": 91,
    }),
    (fields.Flag(), {"is required": ..., "must not be null": None, "must be true or false": "true"}),
    (fields.Day(), {"is required": ..., "must not be null": None, "must be a date in the form YYYY-MM-DD": "soon"}),
    (fields.LocalDateTime(), {
        "is required": ..., "must not be null": None,
        "must be a local date-time without offset, such as 2027-02-03T14:30:00": "2027-02-03T14:30:00Z",
    }),
    (fields.Choice(CHOICES), {"is required": ..., "must not be null": None, "must be one of a, b": "c"}),
    (fields.Email(), {
        "is required": ..., "must not be null": None, "must be an e-mail address": "ada", "must not be empty": "",
    }),
    (fields.Many(child=fields.Whole(), min_length=1, max_length=1), {
        "is required": ..., "must not be null": None, "must be a list": {}, "must have at least 1 item": [],
        "must have at most 1 item": [1, 2],
    }),
    (fields.Many(child=fields.Whole(), min_length=2, max_length=3), {
        "must have at least 2 items": [1], "must have at most 3 items": [1, 2, 3, 4],
    }),
    (fields.Many(child=fields.Whole(), max_length=3, allow_empty=False), {"must not be empty": []}),
    (Inner(), {"is required": ..., "must not be null": None, "must be an object": [1]}),
    (fields.ExternalReference(), {"must have at most 64 characters": "x" * 65}),
    (Phone(), {"must be a phone number in E.164, such as +351210000000": "0351"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [(field, value, sentence) for field, table in KINDS for sentence, value in table.items()],
)
def test_each_kind_of_field_refuses_in_our_words(field: Any, value: object, sentence: str):
    body = type("OneField", (Body,), {"value": field})
    with pytest.raises(InvalidRequest) as refusal:
        validate(body, {} if value is ... else {"value": value})

    assert refusal.value.extras["details"] == [{"field": "value", "message": sentence}]


def fields_below(body: Body) -> Iterator[tuple[str, Any]]:
    """Every field of a request body at every depth, the body itself included."""
    yield type(body).__name__, body
    for name, field in body.fields.items():
        of = f"{type(body).__name__}.{name}"
        for below in (field, getattr(field, "child", None)):
            if isinstance(below, Body):
                yield from fields_below(below)
            elif below is not None:
                yield of, below


def all_request_fields() -> dict[str, Any]:
    bodies = [operation.route.body for operation in operations() if operation.route.body]
    return {of: field for body in bodies for of, field in fields_below(body())}


def test_no_field_of_a_request_has_a_sentence_of_the_frameworks():
    """For every code that a field knows, also those that no value can bring about today."""
    found = all_request_fields()
    assert {type(field) for field in found.values()} > {fields.Text, fields.Whole, fields.Many, fields.Choice}
    others = {
        (of, code): str(sentence)
        for of, field in found.items()
        for code, sentence in field.error_messages.items()
        if not VOICE.fullmatch(str(sentence))
    }
    assert others == {}


def test_every_kind_of_field_that_requests_have_is_declared_in_our_way():
    found = all_request_fields()
    assert found
    assert [of for of, field in found.items() if not isinstance(field, Declared)] == []


@pytest.mark.parametrize(
    ("count", "thing", "said"),
    [(0, "adult", "0 adults"), (1, "adult", "1 adult"), (2, "child", "2 children"), (1, "child", "1 child")],
)
def test_a_thing_is_counted(count: int, thing: str, said: str):
    assert counted(count, thing) == said
