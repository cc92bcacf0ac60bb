"""Rates applied to amounts: exact, half up; which amounts of a value are converted, and that sums stay whole."""

import json
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from importlib import import_module
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common import money
from apps.common.money import Cents
from apps.suppliers.currency import AS_IT_IS, Exchange, amount_names, as_text, converted, kept_with, restored
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.values import is_value, names_of

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


@given(exchanges, st.integers(min_value=0, max_value=10**15))
def test_the_most_for_an_amount_is_within_it_and_one_more_is_not(exchange: Exchange, amount: int) -> None:
    most = exchange.most(amount)
    assert exchange.cents(most) <= amount < exchange.cents(most + 1)


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


TO_EUR = Exchange("USD", "EUR", Decimal("0.875"), DAY)
few_rates = st.decimals(min_value=Decimal("0.0001"), max_value=Decimal("9999"), places=6)
few_exchanges = st.builds(
    Exchange, st.sampled_from(["USD", "JPY", "KWD"]), st.sampled_from(["EUR", "KRW"]), few_rates, st.just(DAY)
)
amounts = st.integers(min_value=0, max_value=10**9)


@dataclass(frozen=True, slots=True)
class Step:
    day: int
    amount_cents: Cents


@dataclass(frozen=True, slots=True)
class Charge:
    amount_cents: Cents
    currency: str


@dataclass(frozen=True, slots=True)
class Offer:
    total_cents: Cents
    currency: str
    steps: tuple[Step, ...] = ()
    deposit_cents: Cents | None = None
    there: Annotated[tuple[Charge, ...], AS_IT_IS] = ()
    supplier_data: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    reference: str
    offer: Offer
    nights: int = 3


@dataclass(frozen=True, slots=True)
class Cancelled:
    penalty_cents: Cents
    refund_cents: Cents
    currency: str


@dataclass(frozen=True, slots=True)
class Fare:
    total_cents: Cents
    base_cents: Cents | None
    tax_cents: Cents | None
    currency: str


@dataclass(frozen=True, slots=True)
class Change:
    difference_cents: Cents
    new_total_cents: Cents
    penalty_cents: Cents
    currency: str


OFFER = Offer(
    total_cents=100,
    currency="USD",
    steps=(Step(3, 50), Step(1, 100)),
    there=(Charge(800, "USD"),),
    supplier_data={"handle": "h"},
)


def test_an_offer_is_converted_with_its_parts_and_keeps_the_rate() -> None:
    offer = converted(OFFER, TO_EUR)
    assert replace(offer, supplier_data={}) == Offer(
        total_cents=88,
        currency="EUR",
        steps=(Step(3, 44), Step(1, 88)),
        there=(Charge(800, "USD"),),
    )
    assert offer.supplier_data["handle"] == "h"
    assert json.loads(offer.supplier_data["exchange"]) == {
        "base": "USD",
        "quote": "EUR",
        "rate": "0.875",
        "asOf": "2026-11-20",
        "own": {"total_cents": 100},
    }


def test_the_supplier_gets_back_its_own_amounts_and_nothing_of_ours() -> None:
    request = Request("H-2", converted(OFFER, TO_EUR))
    back = restored(request, TO_EUR)
    assert replace(back.offer, steps=()) == replace(OFFER, steps=())
    assert [TO_EUR.cents(step.amount_cents) for step in back.offer.steps] == [44, 88]
    assert (back.reference, back.nights) == ("H-2", 3)


def test_what_was_quoted_anew_goes_back_as_the_most_that_it_covers() -> None:
    dearer = replace(converted(OFFER, TO_EUR), total_cents=90)
    back = restored(dearer, TO_EUR)
    assert (back.total_cents, back.currency) == (103, "USD")  # 90.125; one more would be 91
    assert back.supplier_data == {"handle": "h"}


def test_an_answer_in_a_third_currency_is_no_answer() -> None:
    with pytest.raises(OutcomeUnknown, match="answered in GBP"):
        converted(replace(OFFER, currency="GBP"), TO_EUR)


@given(few_exchanges, amounts, amounts)
def test_penalty_and_refund_stay_the_whole_total(exchange: Exchange, penalty: int, refund: int) -> None:
    quote = converted(Cancelled(penalty, refund, exchange.base), exchange)
    assert quote.penalty_cents + quote.refund_cents == exchange.cents(penalty + refund)
    assert quote.penalty_cents == exchange.cents(penalty)
    assert quote.refund_cents >= 0


@given(few_exchanges, amounts, amounts)
def test_fare_and_taxes_stay_the_whole_total(exchange: Exchange, base: int, tax: int) -> None:
    fare = converted(Fare(base + tax, base, tax, exchange.base), exchange)
    assert fare.base_cents is not None
    assert fare.tax_cents is not None
    assert fare.base_cents + fare.tax_cents == fare.total_cents == exchange.cents(base + tax)
    assert (fare.tax_cents, fare.base_cents >= 0) == (exchange.cents(tax), True)


@given(few_exchanges, amounts, amounts)
def test_a_change_leads_from_the_old_total_to_the_new(exchange: Exchange, before: int, after: int) -> None:
    option = converted(Change(after - before, after, 0, exchange.base), exchange)
    assert exchange.cents(before) + option.difference_cents == option.new_total_cents
    assert option.new_total_cents == exchange.cents(after)


@given(few_exchanges, amounts)
def test_no_supplier_is_told_of_less_than_it_asked(exchange: Exchange, penalty: int) -> None:
    own = Cancelled(penalty, 0, exchange.base)
    back = restored(converted(own, exchange), exchange)
    assert back.penalty_cents >= penalty
    assert exchange.cents(back.penalty_cents) == exchange.cents(penalty)


@pytest.mark.parametrize("product", ["flights", "hotels", "transfers", "esim"])
def test_every_amount_that_a_supplier_answers_is_of_the_type_that_is_converted(product: str) -> None:
    module = import_module(f"apps.{product}.suppliers.base")
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and is_value(kind)]
    found = {kind: amount_names(kind) for kind in kinds}
    assert any(found.values())
    for kind, names in found.items():
        assert names == tuple(name for name in names_of(kind) if name.endswith("_cents"))


def test_an_amount_by_name_alone_is_refused() -> None:
    @dataclass(frozen=True)
    class Untyped:
        total_cents: int
        currency: str

    with pytest.raises(TypeError, match=r"Untyped\.total_cents must be of type Cents"):
        converted(Untyped(1, "USD"), TO_EUR)
