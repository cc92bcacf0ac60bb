"""The flight simulator. `flight_simulator()` is the one that this deployment uses."""

from django.conf import settings

from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.flights.suppliers.simulator.remote import RemoteFlights


def flight_simulator() -> FlightSupplier:
    """In this process, or at SIMULATOR_URL where that is set."""
    if settings.SIMULATOR_URL:
        return RemoteFlights(settings.SIMULATOR_URL)
    # Imported late: a simulator outside this service has no Django, and so no models.
    from apps.suppliers.simulation.database_store import DatabaseStore

    return FlightSimulator(DatabaseStore("flights"))
