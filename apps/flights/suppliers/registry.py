"""The flight suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.duffel.adapter import duffel_flights
from apps.flights.suppliers.simulator import flight_simulator
from apps.suppliers.choice import Kept, choose

ADAPTERS: dict[str, Callable[[], FlightSupplier]] = {
    "simulator": flight_simulator,
    "duffel": duffel_flights,
}


def flight_supplier(
    environment: str, trouble: str = "", exchange: Kept = None, *, named: str = ""
) -> FlightSupplier:
    """The supplier of flights in an environment; for what is there already, the one it is `named` for, at its `exchange`."""
    return choose("flights", environment, ADAPTERS, named=named, trouble=trouble, exchange=exchange)
