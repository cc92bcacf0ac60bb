"""The flight suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.simulator import flight_simulator
from apps.suppliers.choice import choose

ADAPTERS: dict[str, Callable[[], FlightSupplier]] = {
    "simulator": flight_simulator,
}


def flight_supplier(environment: str, trouble: str = "") -> FlightSupplier:
    """The supplier that serves flights of an environment."""
    return choose("flights", environment, ADAPTERS, trouble=trouble)
