"""Their counts, which come as numbers or as text, held to what we can keep."""

from decimal import Decimal

MOST = 2**31 - 1


def count(value: object) -> int:
    """A whole number that our tables hold: nothing at all is 0. Raises ValueError, ArithmeticError."""
    number = Decimal(str(value or 0))
    if not 0 <= number <= MOST:  # before it is an integer: 1e999999999 has as many digits
        raise ValueError(f"{number} of anything")
    return int(number)
