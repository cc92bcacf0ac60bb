"""The forms that the log keeps values in: just within, and just beyond."""

import pytest

from apps.gateway import value_forms
from apps.gateway.value_forms import Form, OneOf


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
