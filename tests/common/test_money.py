from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.money import exponent, with_markup


@given(st.integers(-(10**15), 10**15), st.integers(0, 100_000))
def test_a_markup_is_exact_and_rounded_half_up(cents: int, markup_bp: int) -> None:
    exact = Decimal(cents) * (10_000 + markup_bp) / 10_000
    assert with_markup(cents, markup_bp) == exact.quantize(Decimal(1), rounding=ROUND_HALF_UP)


@pytest.mark.parametrize(("cents", "markup_bp", "marked_up"), [(5, 1_000, 6), (4, 1_000, 4), (-5, 1_000, -6)])
def test_half_a_cent_is_a_whole_one(cents: int, markup_bp: int, marked_up: int) -> None:
    assert with_markup(cents, markup_bp) == marked_up


def test_an_unknown_currency_has_no_minor_unit() -> None:
    for _ in range(2):
        with pytest.raises(ValueError):
            exponent("XYZ")
    assert [exponent(code) for code in ("EUR", "JPY", "KWD")] == [2, 0, 3]
