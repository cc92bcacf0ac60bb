"""What a field declares beside its validation, and that its copies do as well."""

import copy
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.serializers import CharField

from apps.common import clock
from apps.gateway import outputs
from apps.gateway.declared import days_ahead, fields_of
from apps.gateway.serializers import Body

pytestmark = pytest.mark.usefixtures("noon")


@pytest.mark.parametrize(
    ("declared", "logged", "example"),
    [
        ({}, False, None),
        ({"logged": True}, True, None),
        ({"example": "x"}, False, "x"),
        ({"logged": True, "example": "x"}, True, "x"),
        ({"example": ""}, False, ""),
    ],
)
def test_a_field_says_whether_it_is_logged_and_an_example(
    declared: dict[str, Any], logged: bool, example: object
):
    field = outputs.Id(required=False, max_length=9, **declared)

    assert (field.logged, field.example) == (logged, example)
    assert (field.required, field.max_length) == (False, 9)


def test_a_copy_declares_what_the_field_does():
    copied = copy.deepcopy(outputs.Id(required=False, max_length=9, logged=True, example="x", since="1.2"))

    assert (copied.required, copied.max_length) == (False, 9)
    assert (copied.logged, copied.example, copied.since) == (True, "x", "1.2")


def test_the_fields_of_a_body_are_those_that_were_declared():
    class Given(Body):
        handle = outputs.Id(logged=True, example="x")

    found = fields_of(Given())
    assert list(found) == ["handle"]
    assert (found["handle"].logged, found["handle"].example) == (True, "x")


def test_an_example_lies_so_many_days_ahead():
    assert days_ahead(3)() == (clock.today() + timedelta(days=3)).isoformat()


def test_words_and_lists_have_the_form_of_what_they_hold():
    word = outputs.Word(["a", "b"], required=False).log_form()
    assert [value for value in ("a", "b", "c") if word(value)] == ["a", "b"]

    several = outputs.Many(child=outputs.Currency()).log_form()
    assert several is not None
    assert (several("EUR"), several("Ada")) == (True, False)
    assert outputs.Many(child=CharField()).log_form() is None
    assert not outputs.Word(["a"], required=False).required
