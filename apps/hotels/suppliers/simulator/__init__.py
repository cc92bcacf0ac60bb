"""The hotel simulator. `hotel_simulator()` is the one that this deployment uses."""

from django.conf import settings

from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.hotels.suppliers.simulator.remote import RemoteHotels


def hotel_simulator() -> HotelSupplier:
    """In this process, or at SIMULATOR_URL where that is set."""
    if settings.SIMULATOR_URL:
        return RemoteHotels(settings.SIMULATOR_URL)
    # Imported late: a simulator outside this service has no Django, and so no models.
    from apps.suppliers.simulation.database_store import DatabaseStore

    return HotelSimulator(DatabaseStore("hotels"))
