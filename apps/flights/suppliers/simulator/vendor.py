"""The flight simulator: test keys are served by it, and live keys in a deployment that has chosen no supplier."""

from apps.flights.suppliers.base import FlightSupplier
from apps.suppliers.vendors import Vendor


def flight_simulator() -> FlightSupplier:
    from apps.flights.suppliers.simulator.adapter import FlightSimulator
    from apps.suppliers.simulation.database_store import DatabaseStore

    return FlightSimulator(DatabaseStore("flights"))


VENDOR: Vendor[FlightSupplier] = Vendor("simulator", build=flight_simulator)
