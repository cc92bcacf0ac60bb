"""Their money: JSON numbers in major units beside a currency, sometimes one, sometimes a list of one."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.common.money import to_cents

MOST_CENTS = 10**15


@dataclass(frozen=True, slots=True)
class Price:
    """An amount in major units, as exact as it was told."""

    amount: Decimal
    currency: str

    @property
    def cents(self) -> int:
        """Rounded half up. Raises ValueError for what no booking can cost, or a currency that is none."""
        cents = to_cents(self.amount, self.currency)
        if not 0 < cents < MOST_CENTS:
            raise ValueError("an amount that nobody can pay")
        return cents


def number(value: object) -> Decimal:
    """A JSON number, or a text that holds one. Raises ValueError, or ArithmeticError."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        raise ValueError(f"{type(value).__name__} is no amount")
    amount = Decimal(value)
    if not amount.is_finite():
        raise ValueError("not a finite amount")
    return amount


def price_in(value: Any) -> Price:
    """`{amount, currency}`, or the first of a list of such."""
    one = value[0] if isinstance(value, list) else value
    return Price(number(one["amount"]), str(one["currency"]))


def net_of_room_type(room_type: Any) -> Price:
    """What we pay for all rooms of the stay: the total less our commission."""
    rates = room_type["rates"]
    if room_type.get("offerRetailRate"):
        total = price_in(room_type["offerRetailRate"])
    else:
        totals = [price_in(rate["retailRate"]["total"]) for rate in rates]
        total = Price(sum((one.amount for one in totals), Decimal(0)), same_currency(totals))
    commissions = [price_in(rate["commission"]) for rate in rates if rate.get("commission")]
    same_currency([total, *(one for one in commissions if one.amount)])
    net = total.amount - sum(one.amount for one in commissions)
    return Price(net + fee_of(room_type, total.currency), total.currency)


def net_of_booking(booking: Any) -> Price:
    """The same of a prebook or a booking, which tell one price for everything."""
    currency = str(booking["currency"])
    net = number(booking["price"]) - number(booking.get("commission") or 0)
    return Price(net + fee_of(booking, currency), currency)


def fee_of(told: Any, currency: str) -> Decimal:
    """Their fee for the payment method, on top of their price. It is not documented; so far it was seen as a number."""
    fee = told.get("processingFee")
    if not fee:
        return Decimal(0)
    if isinstance(fee, dict | list):
        price = price_in(fee)
        same_currency([price, Price(Decimal(0), currency)])
        return price.amount
    return number(fee)


def least_public(room_type: Any, currency: str) -> int | None:
    """The least that may be shown in public for all rooms, in minor units. None where they do not say. Raises ValueError."""
    if room_type.get("suggestedSellingPrice"):
        prices = [price_in(room_type["suggestedSellingPrice"])]
    else:
        told = [rate["retailRate"].get("suggestedSellingPrice") for rate in room_type["rates"]]
        if not all(told):
            return None
        prices = [price_in(one) for one in told]
    least = Price(sum((one.amount for one in prices), Decimal(0)), same_currency(prices))
    same_currency([least, Price(Decimal(0), currency)])
    return least.cents


def same_currency(prices: list[Price]) -> str:
    """Raises ValueError where amounts of several currencies would have to be added."""
    (currency,) = {price.currency for price in prices}
    return currency
