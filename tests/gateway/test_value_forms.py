"""The forms that the log keeps values in: just within, and just beyond."""

import pytest

from apps.gateway import value_forms
from apps.gateway.value_forms import Form, Number, OneOf, Text, any_of


@pytest.mark.parametrize(
    ("form", "value", "is_kept"),
    [
        (value_forms.IS_CENTS, 10**12, True),
        (value_forms.IS_CENTS, 10**12 + 1, False),
        (value_forms.IS_CENTS, -(10**12), True),
        (value_forms.IS_CENTS, -(10**12) - 1, False),
        (value_forms.IS_SMALL_NUMBER, 99_999, True),
        (value_forms.IS_SMALL_NUMBER, 100_000, False),
        (value_forms.IS_SMALL_NUMBER, -99_999, True),
        (value_forms.IS_SMALL_NUMBER, -100_000, False),
        (value_forms.IS_SMALL_NUMBER, 1.5, True),
        (value_forms.IS_SMALL_NUMBER, "7", False),
        (value_forms.IS_THREE_CAPITALS, "EUR", True),
        (value_forms.IS_THREE_CAPITALS, "EURO", False),
        (value_forms.IS_THREE_CAPITALS, 7, False),
        (value_forms.IS_THREE_CAPITALS, None, False),
        (OneOf({"a", "b"}), "a", True),
        (OneOf({"a", "b"}), "c", False),
        (OneOf({"a", "b"}), ["a"], False),
    ],
)
def test_a_value_has_its_form_or_has_it_not(form: Form, value: object, is_kept: bool):
    assert form(value) is is_kept


def test_of_several_forms_one_is_enough():
    form = any_of([Text("[0-9]{2}"), OneOf({"a"}), Number(10), OneOf({"b"})])

    assert [value for value in ("12", "a", "b", 7, "c", 10, "123", None) if form(value)] == [
        "12",
        "a",
        "b",
        7,
    ]


def test_closed_sets_become_one_set_and_equal_forms_one_form():
    shape = Text("a+")

    words = any_of([OneOf({"a"}), OneOf({"b"})])
    assert isinstance(words, OneOf)
    assert words.words == {"a", "b"}
    assert any_of([shape, shape]) is shape
