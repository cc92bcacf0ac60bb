"""What a plan costs a partner: the supplier's price in the account's currency.

In the sandbox the simulators' fixed rates are used, so that a plan costs the same in every process and on every day. A real
supplier's price is converted at the rate that staff stored; a plan without one is not sold (`sold_in`). The rate stays with the
order to its end.
"""

from dataclasses import dataclass

from apps.common import money
from apps.common.errors import NotFound
from apps.suppliers.currency import Exchange
from apps.suppliers.rates import rate, rates_to
from apps.suppliers.registry import SIMULATOR
from apps.suppliers.simulation import RATES


@dataclass(frozen=True, slots=True)
class Conversion:
    """How amounts of one supplier's currency become the account's. `exchange` is None where no stored rate is needed."""

    base: str
    quote: str
    exchange: Exchange | None = None

    def __call__(self, cents: int) -> int:
        """At least one minor unit for what is not free."""
        if self.exchange is None:
            return in_currency(cents, self.base, self.quote)
        return max(1, self.exchange.cents(cents)) if cents else 0


def conversion(supplier: str, base: str, quote: str) -> Conversion:
    """The conversion at today's rate. Raises NotFound where staff stored none."""
    if supplier == SIMULATOR or base == quote:
        return Conversion(base, quote)
    exchange = rate(base, quote)
    if exchange is None:
        raise NotFound("There is no such plan.", ours=True)
    return Conversion(base, quote, exchange)


def sold_in(supplier: str, currency: str) -> frozenset[str] | None:
    """The supplier's currencies that have a price in the account's; None for all."""
    return None if supplier == SIMULATOR else frozenset({currency, *rates_to(currency)})


def in_currency(cents: int, supplier_currency: str, currency: str) -> int:
    """`cents` of the supplier's currency in minor units of `currency`, rounded half up, at least one for what is not free.

    Uses the sandbox's rates. A currency without one counts as the euro.
    """
    if supplier_currency == currency or cents == 0:
        return cents
    euros = money.to_major(cents, supplier_currency) / RATES.get(supplier_currency, RATES["EUR"])
    return max(1, money.to_cents(euros * RATES.get(currency, RATES["EUR"]), currency))
