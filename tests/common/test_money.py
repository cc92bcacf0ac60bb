from decimal import ROUND_HALF_UP, Decimal

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from apps.common.forms import MoneyField
from apps.common.money import exponent, with_markup


@given(st.integers(-(10**15), 10**15), st.integers(0, 100_000))
def test_a_markup_is_exact_and_rounded_half_up(cents: int, markup_bp: int) -> None:
    exact = Decimal(cents) * (10_000 + markup_bp) / 10_000
    assert with_markup(cents, markup_bp) == exact.quantize(Decimal(1), rounding=ROUND_HALF_UP)


def test_an_unknown_currency_has_no_minor_unit() -> None:
    for _ in range(2):
        with pytest.raises(ValueError):
            exponent("XYZ")
    assert [exponent(code) for code in ("EUR", "JPY", "KWD")] == [2, 0, 3]


def test_units_become_minor_units_of_the_currency() -> None:
    cleaned = [
        MoneyField(currency=currency, most_cents=10**6).clean("12") for currency in ("EUR", "JPY", "KWD")
    ]
    assert cleaned == [1_200, 12, 12_000]


def test_it_shows_units_and_may_be_left_empty() -> None:
    field = MoneyField(currency="EUR", most_cents=10**6, cents=1_234, required=False)
    assert (field.initial, field.clean("")) == (Decimal("12.34"), None)
    assert MoneyField(currency="EUR", most_cents=10**6).initial is None


@pytest.mark.parametrize("typed", ["0", "-1", "10.01", "0.001", "ten", "NaN", ""])
def test_what_is_no_such_amount_is_refused(typed: str) -> None:
    field = MoneyField(currency="EUR", most_cents=1_000)
    assert (field.clean("0.01"), field.clean("10.00")) == (1, 1_000)
    with pytest.raises(ValidationError):
        field.clean(typed)


def test_a_correction_may_be_negative_down_to_its_bound() -> None:
    field = MoneyField(currency="EUR", least_cents=-1_000, most_cents=1_000)
    assert [field.clean(typed) for typed in ("-10.00", "0", "10")] == [-1_000, 0, 1_000]
    with pytest.raises(ValidationError):
        field.clean("-10.01")
