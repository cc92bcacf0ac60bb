"""Integer minor units and a currency, together. No float ever touches an amount."""

from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Annotated

from iso4217 import Currency

MINOR_UNITS = "minor units"
Cents = Annotated[int, MINOR_UNITS]
"""An amount in the minor unit of its currency. Whatever a supplier sends as money has this type: it is how conversion
from currency to currency finds the amounts in a value (`apps.suppliers.currency`).
"""

BASIS_POINTS = 10_000


@cache
def exponent(currency: str) -> int:
    """How many decimal places the currency's minor unit has: EUR 2, JPY 0, KWD 3 (ISO 4217)."""
    return int(Currency(currency).exponent or 0)


def is_currency(code: str) -> bool:
    try:
        Currency(code)
    except ValueError:
        return False
    return True


def to_cents(amount: Decimal, currency: str) -> int:
    """A major-unit amount as minor units, rounded half up: 12.345 EUR is 1235."""
    return int(amount.scaleb(exponent(currency)).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def to_major(cents: int, currency: str) -> Decimal:
    """Minor units as a major-unit amount: 1235 EUR is 12.35."""
    return Decimal(cents).scaleb(-exponent(currency))


def with_markup(cents: int, markup_bp: int) -> int:
    """`cents` raised by `markup_bp` basis points (1 % is 100), rounded half up."""
    rounded = (2 * abs(cents) * (BASIS_POINTS + markup_bp) + BASIS_POINTS) // (2 * BASIS_POINTS)
    return rounded if cents >= 0 else -rounded


def in_words(cents: int, currency: str) -> str:
    """For people to read: `-1,234.50 EUR`."""
    return f"{to_major(cents, currency):,.{exponent(currency)}f} {currency}"
