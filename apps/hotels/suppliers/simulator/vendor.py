"""The hotel simulator: test keys are served by it, and live keys in a deployment that has chosen no supplier."""

from functools import cache

from apps.hotels.suppliers.base import HotelSupplier
from apps.suppliers.vendors import Vendor


@cache
def hotel_simulator() -> HotelSupplier:
    """One for the process: what it knows of a booking is in its store."""
    from apps.hotels.suppliers.simulator.adapter import HotelSimulator
    from apps.suppliers.simulation.database_store import DatabaseStore

    return HotelSimulator(DatabaseStore("hotels"))


VENDOR: Vendor[HotelSupplier] = Vendor("simulator", build=hotel_simulator)
