"""The forms that the log keeps values in: just within, and just beyond."""

import pytest

from apps.gateway.request_log import value_forms
from apps.gateway.request_log.value_forms import Form, Number, OneOf, Text, any_of, judge_of_texts


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


def test_of_several_bounds_the_widest_holds():
    judge = any_of([Number(10), Number(1_000), Number(100)])

    assert [judge(value) for value in (999, -999, 1_000, -1_000)] == [True, True, False, False]


@pytest.mark.parametrize(
    ("form", "kept"),
    [
        (Text("a+"), ["a"]),
        (OneOf({"b"}), ["b"]),
        (any_of([Text("a+"), OneOf({"b"}), Number(10)]), ["a", "b"]),
    ],
)
def test_a_text_is_judged_by_its_form_whatever_kind_of_form_it_is(form: Form, kept: list[str]) -> None:
    judge = judge_of_texts(form)

    assert judge is not None
    assert [text for text in ("a", "b", "c", "7") if judge(text)] == kept


def test_of_several_forms_one_that_takes_texts_is_asked_without_the_others() -> None:
    words, several = any_of([Number(10), OneOf({"b"})]), any_of([Number(10), OneOf({"b"}), Text("a+")])

    assert getattr(judge_of_texts(words), "__self__", None) == {"b"}
    assert judge_of_texts(several) is several


def test_a_form_of_another_kind_judges_texts_itself() -> None:
    def is_a(value: object) -> bool:
        return value == "a"

    assert judge_of_texts(is_a) is is_a


@pytest.mark.parametrize("form", [None, Number(10)])
def test_no_text_is_kept_without_a_form_or_as_a_number(form: Form | None) -> None:
    assert judge_of_texts(form) is None


def test_without_a_form_nothing_is_kept():
    assert not any_of([])("a")
