"""A rate applied to amounts: exact, half up, by the minor units of both currencies."""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common import money
from apps.suppliers.currency import Exchange, as_text, kept_with

DAY = date(2026, 11, 20)
CURRENCIES = ["EUR", "USD", "JPY", "KWD", "CLF"]  # 2, 2, 0, 3 and 4 places

rates = st.decimals(min_value=Decimal("0.000000000001"), max_value=Decimal("999999999999"), places=12)
exchanges = st.builds(Exchange, st.sampled_from(CURRENCIES), st.sampled_from(CURRENCIES), rates, st.just(DAY))
cents = st.integers(min_value=-(10**15), max_value=10**15)


def an_exchange(base: str, quote: str, rate: str) -> Exchange:
    return Exchange(base, quote, Decimal(rate), DAY)


@pytest.mark.parametrize(
    ("base", "quote", "rate", "amount", "expected"),
    [
        ("USD", "EUR", "0.9", 1_000, 900),
        ("USD", "EUR", "0.875", 100, 88),  # 87.5
        ("USD", "EUR", "0.875", -100, -88),
        ("USD", "EUR", "0.874999999999", 100, 87),
        ("USD", "JPY", "150", 1_001, 1_502),  # 1501.5 yen, which have no cents
        ("JPY", "USD", "0.0066", 1_000, 660),
        ("JPY", "KWD", "0.002", 1, 2),
        ("USD", "KWD", "0.307", 1_000, 3_070),
        ("KWD", "EUR", "3", 5, 2),  # 1.5 cents
        ("EUR", "EUR", "1", 12_345, 12_345),
        ("USD", "EUR", "0.9", 0, 0),
    ],
)
def test_an_amount_is_converted_half_up(base: str, quote: str, rate: str, amount: int, expected: int) -> None:
    assert an_exchange(base, quote, rate).cents(amount) == expected


@given(exchanges, cents)
def test_conversion_is_what_exact_decimals_make_of_it(exchange: Exchange, amount: int) -> None:
    with localcontext(prec=80):
        major = money.to_major(amount, exchange.base) * exchange.rate
        scaled = major.scaleb(money.exponent(exchange.quote))
        assert exchange.cents(amount) == int(scaled.quantize(Decimal(1), rounding=ROUND_HALF_UP))


@given(exchanges, cents, cents)
def test_more_never_converts_to_less(exchange: Exchange, one: int, other: int) -> None:
    less, more = sorted((one, other))
    assert exchange.cents(less) <= exchange.cents(more)


@given(exchanges, st.integers(min_value=0, max_value=10**15))
def test_the_most_for_an_amount_is_within_it_and_one_more_is_not(exchange: Exchange, amount: int) -> None:
    most = exchange.most(amount)
    assert exchange.cents(most) <= amount < exchange.cents(most + 1)


@given(exchanges, st.integers(min_value=0, max_value=10**12))
def test_what_was_converted_finds_its_way_back(exchange: Exchange, own: int) -> None:
    there = exchange.cents(own)
    assert exchange.cents(exchange.most(there)) == there


@given(exchanges)
def test_a_kept_rate_is_read_as_it_was(exchange: Exchange) -> None:
    assert Exchange.read(exchange.as_json()) == exchange
    assert kept_with({"exchange": as_text(exchange, {"total_cents": 7})}) == exchange.as_json()


def test_what_was_kept_is_four_plain_words() -> None:
    assert an_exchange("USD", "EUR", "0.90").as_json() == {
        "base": "USD",
        "quote": "EUR",
        "rate": "0.90",
        "asOf": "2026-11-20",
    }
    assert kept_with({"offer_id": "x"}) is None
    assert Exchange.read(None) is None
