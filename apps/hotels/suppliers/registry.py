"""The hotel suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.simulator import hotel_simulator
from apps.suppliers.choice import choose

ADAPTERS: dict[str, Callable[[], HotelSupplier]] = {
    "simulator": hotel_simulator,
}


def hotel_supplier(environment: str, trouble: str = "") -> HotelSupplier:
    """The supplier that serves hotels of an environment."""
    return choose("hotels", environment, ADAPTERS, trouble=trouble)
