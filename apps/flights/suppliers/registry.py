"""The flight suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.duffel.adapter import DuffelFlights, duffel_flights
from apps.flights.suppliers.simulator import flight_simulator
from apps.suppliers.choice import Kept, choose
from apps.suppliers.news import NewsPace

ADAPTERS: dict[str, Callable[[], FlightSupplier]] = {
    "simulator": flight_simulator,
    "duffel": duffel_flights,
}
NEWS_PACES: dict[str, NewsPace] = {"duffel": DuffelFlights.news}
"""Of those that are not asked as often as SUPPLIER_NEWS_SECONDS says."""


def flight_supplier(
    environment: str, trouble: str = "", exchange: Kept = None, *, named: str = ""
) -> FlightSupplier:
    """The supplier of flights in an environment; for what is there already, the one it is `named` for, at its `exchange`."""
    return choose("flights", environment, ADAPTERS, named=named, trouble=trouble, exchange=exchange)
