"""Suppliers may charge in another currency than the account's.

Adapters use the supplier's own currency, and amounts are converted here, at the stored rate of the day of the quote. That rate is
stored with the offer, and then with the booking to its end.

Conversion is exact: integers all the way, no float anywhere. Money is a value with a `currency` and fields of type `Cents`. The
parts of a money that have no currency of their own, values and named tuples, are in the same. A field marked `AS_IT_IS` is not
converted: it is paid elsewhere, in a currency of its own.

Sums stay exact, which they would not if each amount were rounded by itself: a refund is the total less the penalty, a difference
is one total less the other, a fare is the total less its taxes. So a booking's total always is the supplier's total, converted.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from apps.common import money
from apps.common.money import MINOR_UNITS
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.values import is_value, names_of, replaced


@dataclass(frozen=True)
class Exchange:
    """One unit of `base` costs `rate` units of `quote`, as staff stored it for the day `as_of`."""

    base: str
    quote: str
    rate: Decimal
    as_of: date

    @classmethod
    def read(cls, data: Mapping[str, Any] | None) -> "Exchange | None":
        """What `as_json` made. None where no rate was stored: the amounts are in the account's own currency."""
        if data is None:
            return None
        return cls(data["base"], data["quote"], Decimal(data["rate"]), date.fromisoformat(data["asOf"]))

    def as_json(self) -> dict[str, str]:
        return {
            "base": self.base,
            "quote": self.quote,
            "rate": format(self.rate, "f"),
            "asOf": self.as_of.isoformat(),
        }

    def cents(self, cents: int) -> int:
        numerator, denominator = self._ratio
        rounded = (2 * abs(cents) * numerator + denominator) // (2 * denominator)
        return rounded if cents >= 0 else -rounded

    def most(self, cents: int) -> int:
        """The largest amount in minor units of `base` that converts to no more than `cents` in `quote`."""
        numerator, denominator = self._ratio
        whole = ((2 * abs(cents) + 1) * denominator - 1) // (2 * numerator)
        return whole if cents >= 0 else -whole

    @cached_property
    def _ratio(self) -> tuple[int, int]:
        """Minor units of `quote` for one minor unit of `base`, as a fraction."""
        numerator, denominator = self.rate.as_integer_ratio()
        up, down = money.exponent(self.quote), money.exponent(self.base)
        return numerator * 10**up, denominator * 10**down


def as_text(exchange: Exchange, own: Mapping[str, int]) -> str:
    """For an offer's `supplier_data`: the rate, and the supplier's `own` amounts, which were not rounded."""
    return json.dumps({**exchange.as_json(), "own": dict(own)})


def kept_with(supplier_data: Mapping[str, str]) -> dict[str, str] | None:
    """The rate that an offer was converted at, as a booking stores it; None for an offer that was not converted."""
    if KEY not in supplier_data:
        return None
    kept: dict[str, str] = json.loads(supplier_data[KEY])
    kept.pop("own")
    return kept


KEY = "exchange"  # the entry that we add to the `supplier_data` of what was converted. Adapters never see it.


T = TypeVar("T")
Amounts = Mapping[str, int]
Change = Callable[[Any], dict[str, Any]]

AS_IT_IS = "as it is"  # for `Annotated[<type>, AS_IT_IS]`


def converted(value: T, exchange: Exchange) -> T:
    """`value`, as the supplier answered it, in the account's currency. Raises OutcomeUnknown for a third currency."""
    return cast("T", _walk(value, lambda money: _to_account(money, exchange), exchange.cents))


def restored(value: T, exchange: Exchange) -> T:
    """`value` in the supplier's currency, on its way back to the supplier. Where the value carries the amounts that the supplier
    answered, these are used; else the largest amounts that convert to no more.
    """
    return cast("T", _walk(value, lambda money: _to_supplier(money, exchange), exchange.most))


def converted_amounts(own: Amounts, exchange: Exchange) -> dict[str, int]:
    amounts = {name: exchange.cents(cents) for name, cents in own.items()}
    if {"penalty_cents", "refund_cents"} <= own.keys():
        whole = own["penalty_cents"] + own["refund_cents"]
        amounts["refund_cents"] = exchange.cents(whole) - amounts["penalty_cents"]
    if {"total_cents", "base_cents", "tax_cents"} <= own.keys():
        amounts["base_cents"] = amounts["total_cents"] - amounts["tax_cents"]
    if {"difference_cents", "new_total_cents"} <= own.keys():
        before = own["new_total_cents"] - own["difference_cents"]
        amounts["difference_cents"] = amounts["new_total_cents"] - exchange.cents(before)
    return amounts


def amounts_of(money: object) -> dict[str, int]:
    """The amounts in this value itself, without its parts; None is no amount."""
    found = ((name, getattr(money, name)) for name in amount_names(cast("Any", type(money))))
    return {name: cents for name, cents in found if cents is not None}


def is_money(value: object) -> bool:
    return is_value(value) and hasattr(value, "currency") and bool(amounts_of(value))


def _to_account(money: Any, exchange: Exchange) -> dict[str, Any]:
    if money.currency == exchange.quote:
        return {}
    if money.currency != exchange.base:
        raise OutcomeUnknown(f"answered in {money.currency}, though {exchange.base} was agreed")
    own = amounts_of(money)
    changes: dict[str, Any] = {**converted_amounts(own, exchange), "currency": exchange.quote}
    if hasattr(money, "supplier_data"):
        changes["supplier_data"] = {**money.supplier_data, KEY: as_text(exchange, own)}
    return changes


def _to_supplier(money: Any, exchange: Exchange) -> dict[str, Any]:
    if money.currency != exchange.quote:
        return {}
    present = amounts_of(money)
    changes: dict[str, Any] = {name: exchange.most(cents) for name, cents in present.items()}
    if KEY in getattr(money, "supplier_data", ()):
        data = dict(money.supplier_data)
        own = json.loads(data.pop(KEY))["own"]
        if converted_amounts(own, exchange) == present:  # else it was quoted again since
            changes = own
        changes = {**changes, "supplier_data": data}
    return {**changes, "currency": exchange.base}


def _walk(value: Any, change: Change, alone: Callable[[int], int], *, inside: bool = False) -> Any:
    """`value` with every money in it changed. `alone` converts the amounts in the parts of a changed money (`inside`)."""
    if hasattr(value, "_fields"):  # a named tuple: a part of a money, never one itself
        found = {name: alone(cents) for name, cents in amounts_of(value).items()}
        return value._replace(**found) if inside else value
    if isinstance(value, list | tuple):
        return type(value)(_walk(item, change, alone, inside=inside) for item in value)
    if not is_value(value) or isinstance(value, type):
        return value
    changes: dict[str, Any] = {}
    if is_money(value):
        changes = change(value)
        inside = "currency" in changes
    elif inside:
        changes = {name: alone(cents) for name, cents in amounts_of(value).items()}
    kind: Any = type(value)
    for name in _names(kind):
        if name not in changes:
            part = getattr(value, name)
            walked = _walk(part, change, alone, inside=inside)
            if walked is not part and walked != part:
                changes[name] = walked
    return replaced(value, **changes) if changes else value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    if hasattr(kind, "_fields"):
        return tuple(kind._fields)
    hints = get_type_hints(kind, include_extras=True)
    return tuple(name for name in names_of(kind) if AS_IT_IS not in getattr(hints[name], "__metadata__", ()))


@cache
def amount_names(kind: Any) -> tuple[str, ...]:
    """The fields that are amounts, by their type. Raises TypeError for one that only its name calls an amount: it would not be
    converted, and be charged as if it were in the other currency.
    """
    hints = get_type_hints(kind, include_extras=True)
    amounts = tuple(name for name in _names(kind) if _is_amount(hints[name]))
    untyped = [name for name in _names(kind) if name.endswith("_cents") and name not in amounts]
    if untyped:
        raise TypeError(f"{kind.__name__}.{untyped[0]} must be of type Cents")
    return amounts


def _is_amount(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return MINOR_UNITS in hint.__metadata__
    return any(
        get_origin(member) is Annotated and MINOR_UNITS in member.__metadata__ for member in get_args(hint)
    )
