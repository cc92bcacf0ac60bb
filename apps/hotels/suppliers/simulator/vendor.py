"""The hotel simulator. It serves test keys, and live keys only where SIMULATE_LIVE_KEYS allows it."""

from functools import cache

from apps.hotels.suppliers.base import HotelSupplier
from apps.suppliers.vendors import Vendor


@cache
def hotel_simulator() -> HotelSupplier:
    """One for the process: what it knows of a booking is in its store."""
    from apps.hotels.suppliers.simulator.adapter import HotelSimulator
    from apps.suppliers.simulation import DatabaseStore

    return HotelSimulator(DatabaseStore("hotels"))


VENDOR: Vendor[HotelSupplier] = Vendor("simulator", build=hotel_simulator)
