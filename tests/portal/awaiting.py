"""For the tests of approvals: where a booking is shown, and what is said of it."""

from typing import Any

LIST = "/portal/test/bookings/"


def page(booking: dict[str, Any], act: str = "") -> str:
    return f"{LIST}{booking['id']}/{act}"


def price(booking: dict[str, Any]) -> str:
    return f"{booking['totalCents'] / 100:,.2f} EUR"
