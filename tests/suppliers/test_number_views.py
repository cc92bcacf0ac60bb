"""What is looked at for floats, of each kind of field."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import pytest

from apps.common.money import Cents
from apps.flights.suppliers.base import FlightOffer
from apps.hotels.suppliers.base import HotelOffer
from apps.suppliers.results import PenaltyStep
from apps.suppliers.values import Whole, to_column, view_of


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Price:
    currency: str
    cents: Cents
    note: str | None = None


@dataclass(frozen=True)
class Named:
    name: str
    day: date
    told: dict[str, str]


@dataclass(frozen=True)
class Basket:
    names: tuple[Named, ...]
    prices: tuple[Price, ...]
    best: Price | None
    by_name: dict[str, Price]
    extra: Any = None
    either: int | str = ""
    weight: Decimal = Decimal(1)
    pair: tuple[int, str] = (1, "")
    steps: tuple[PenaltyStep, ...] = ()


@pytest.mark.parametrize(
    "kind",
    [str, bool, date, datetime, Colour, str | None, list[str], dict[str, str], Named, Annotated[str, 7]],
)
def test_what_holds_no_number_is_not_looked_at(kind: Any) -> None:
    assert view_of(kind) is None


@pytest.mark.parametrize("kind", [Decimal, Any, tuple[int, str], int | str])
def test_what_may_be_a_number_among_others_is_looked_at_whole(kind: Any) -> None:
    assert view_of(kind) is Whole


@pytest.mark.parametrize("kind", [int, Cents, int | None])
def test_what_is_a_whole_number_must_be_one(kind: Any) -> None:
    assert msgspec.convert(7, view_of(kind)) == 7
    with pytest.raises(msgspec.ValidationError, match="got `float`"):
        msgspec.convert(7.0, view_of(kind))


A_PRICE = Price("EUR", 5)
HALF: Any = 0.5


@pytest.mark.parametrize(
    "changes",
    [
        {"prices": (A_PRICE, Price("EUR", HALF))},
        {"best": Price("EUR", HALF)},
        {"by_name": {"a": Price("EUR", HALF)}},
        {"extra": [{"b": HALF}]},
        {"either": HALF},
        {"weight": HALF},
        {"pair": (HALF, "")},
        {"steps": (PenaltyStep(None, HALF),)},
    ],
    ids=str,
)
def test_a_float_is_found_wherever_a_number_may_be(changes: dict[str, Any]) -> None:
    whole: dict[str, Any] = {"names": (), "prices": (A_PRICE,), "best": None, "by_name": {}}
    to_column([Basket(**whole)], list[Basket])
    with pytest.raises(TypeError):
        to_column([Basket(**{**whole, **changes})], list[Basket])


@pytest.mark.parametrize("kind", [HotelOffer, FlightOffer])
def test_the_amounts_of_offers_are_looked_at(kind: Any) -> None:
    assert view_of(kind) is not None
