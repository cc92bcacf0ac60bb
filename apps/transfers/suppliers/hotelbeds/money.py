"""Their amounts: numbers and a currency. Under a contract with commission there is a net amount as well: it is what we pay. A
net amount of zero means that there is no such contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.common.money import is_currency, to_cents
from apps.transfers.suppliers.hotelbeds.reading import items, part


@dataclass(frozen=True, slots=True)
class Amount:
    value: Decimal
    currency: str

    @property
    def cents(self) -> int:
        return to_cents(self.value, self.currency)


def price_of(price: object) -> Amount | None:
    """`{totalAmount, netAmount, currencyId}`; None for what is no price."""
    told = price if isinstance(price, Mapping) else {}
    return _amount(number(told.get("netAmount")) or number(told.get("totalAmount")), told.get("currencyId"))


def order_amount(booking: Mapping[str, Any]) -> Amount | None:
    """What the order costs us: its net amount where its services have net prices."""
    net, total = _net_amounts(booking), number(booking.get("totalAmount"))
    if net:
        total = number(booking.get("totalNetAmount")) or sum(net, Decimal())
    return _amount(total, booking.get("currency"))


def charge_of(booking: Mapping[str, Any]) -> Amount | None:
    """What is left to pay of a cancelled order. Its services do not say it: they tell 0.0, or still what they were sold for."""
    left, net = number(booking.get("totalAmount")), number(booking.get("totalNetAmount"))
    if left is not None and net is not None and (net or _net_amounts(booking)):
        left = min(left, net)
    return _amount(left, booking.get("currency"))


def sold_for(booking: Mapping[str, Any]) -> Amount | None:
    """The sum of what its services were sold for; None where they do not say, as those of a cancelled order that say 0.0."""
    prices = [price_of(price) for price in _prices(booking)]
    if not prices or None in prices:
        return None
    total = sum((price.value for price in prices if price is not None), Decimal())
    return _amount(total or None, booking.get("currency"))


def number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        return None
    try:
        found = Decimal(value)
    except ArithmeticError:
        return None
    return found if found.is_finite() and abs(found) < 10**9 else None


def _amount(value: Decimal | None, currency: object) -> Amount | None:
    if value is None or value < 0 or not isinstance(currency, str) or not is_currency(currency):
        return None
    return Amount(value, currency)


def _net_amounts(booking: Mapping[str, Any]) -> list[Decimal]:
    """Of its services, where they have any."""
    told = (number(price.get("netAmount")) for price in _prices(booking))
    return [amount for amount in told if amount]


def _prices(booking: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [price for transfer in items(booking, "transfers") if (price := part(transfer, "price"))]
