"""Amounts inside any product's dataclasses: which are converted, which stay, and that sums stay whole."""

import json
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from importlib import import_module
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.money import Cents
from apps.suppliers.currency import AS_IT_IS, Exchange, amount_names, converted, restored
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.values import is_value, names_of

DAY = date(2026, 11, 20)
TO_EUR = Exchange("USD", "EUR", Decimal("0.875"), DAY)
rates = st.decimals(min_value=Decimal("0.0001"), max_value=Decimal("9999"), places=6)
exchanges = st.builds(
    Exchange, st.sampled_from(["USD", "JPY", "KWD"]), st.sampled_from(["EUR", "KRW"]), rates, st.just(DAY)
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


def test_lists_and_other_values_are_walked_or_left() -> None:
    assert converted([OFFER, None, "USD", 7], TO_EUR)[1:] == [None, "USD", 7]
    assert converted([OFFER], TO_EUR)[0].total_cents == 88
    assert converted(Step(1, 100), TO_EUR) == Step(1, 100)  # of no money, so of no currency


def test_an_answer_in_the_accounts_own_currency_stays() -> None:
    euros = replace(OFFER, currency="EUR")
    assert converted(euros, TO_EUR) == euros


def test_an_answer_in_a_third_currency_is_no_answer() -> None:
    with pytest.raises(OutcomeUnknown, match="answered in GBP"):
        converted(replace(OFFER, currency="GBP"), TO_EUR)


@given(exchanges, amounts, amounts)
def test_penalty_and_refund_stay_the_whole_total(exchange: Exchange, penalty: int, refund: int) -> None:
    quote = converted(Cancelled(penalty, refund, exchange.base), exchange)
    assert quote.penalty_cents + quote.refund_cents == exchange.cents(penalty + refund)
    assert quote.penalty_cents == exchange.cents(penalty)
    assert quote.refund_cents >= 0


@given(exchanges, amounts, amounts)
def test_fare_and_taxes_stay_the_whole_total(exchange: Exchange, base: int, tax: int) -> None:
    fare = converted(Fare(base + tax, base, tax, exchange.base), exchange)
    assert fare.base_cents is not None
    assert fare.tax_cents is not None
    assert fare.base_cents + fare.tax_cents == fare.total_cents == exchange.cents(base + tax)
    assert (fare.tax_cents, fare.base_cents >= 0) == (exchange.cents(tax), True)


def test_a_total_without_its_parts_is_converted_alone() -> None:
    assert converted(Fare(100, None, None, "USD"), TO_EUR) == Fare(88, None, None, "EUR")


@given(exchanges, amounts, amounts)
def test_a_change_leads_from_the_old_total_to_the_new(exchange: Exchange, before: int, after: int) -> None:
    option = converted(Change(after - before, after, 0, exchange.base), exchange)
    assert exchange.cents(before) + option.difference_cents == option.new_total_cents
    assert option.new_total_cents == exchange.cents(after)


@given(exchanges, amounts)
def test_no_supplier_is_told_of_less_than_it_asked(exchange: Exchange, penalty: int) -> None:
    own = Cancelled(penalty, 0, exchange.base)
    back = restored(converted(own, exchange), exchange)
    assert back.penalty_cents >= penalty
    assert exchange.cents(back.penalty_cents) == exchange.cents(penalty)


@given(exchanges, amounts, st.lists(amounts, max_size=3))
def test_what_went_there_and_back_converts_to_the_same(
    exchange: Exchange, total: int, steps: list[int]
) -> None:
    own = Offer(total, exchange.base, tuple(Step(0, cents) for cents in steps))
    there = converted(own, exchange)
    assert converted(restored(there, exchange), exchange).steps == there.steps
    assert restored(there, exchange).total_cents == total


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
