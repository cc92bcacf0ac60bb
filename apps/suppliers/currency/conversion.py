"""One exchange rate, and the conversion of amounts by it. Exact: integers all the way, no float anywhere."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from apps.common import money


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
        """Minor units of `base` in minor units of `quote`, rounded half up."""
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


KEY = "exchange"
"""The entry that we add to the `supplier_data` of what was converted. Adapters never see it."""
