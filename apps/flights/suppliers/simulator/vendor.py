"""The flight simulator. It serves test keys, and live keys only where SIMULATE_LIVE_KEYS allows it."""

from apps.flights.suppliers.base import FlightSupplier
from apps.suppliers.vendors import Vendor


def flight_simulator() -> FlightSupplier:
    from apps.flights.suppliers.simulator.adapter import FlightSimulator
    from apps.suppliers.simulation import DatabaseStore

    return FlightSimulator(DatabaseStore("flights"))


VENDOR: Vendor[FlightSupplier] = Vendor("simulator", build=flight_simulator)
