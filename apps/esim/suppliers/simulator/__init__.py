"""The eSIM simulator. `esim_simulator()` is the one that this deployment uses."""

from django.conf import settings

from apps.esim.suppliers.base import EsimSupplier
from apps.esim.suppliers.simulator.adapter import EsimSimulator
from apps.esim.suppliers.simulator.remote import RemoteEsim


def esim_simulator() -> EsimSupplier:
    """In this process, or at SIMULATOR_URL where that is set."""
    if settings.SIMULATOR_URL:
        return RemoteEsim(settings.SIMULATOR_URL)
    # Imported late: a simulator outside this service has no Django, and so no models.
    from apps.suppliers.simulation.database_store import DatabaseStore

    return EsimSimulator(DatabaseStore("esim"))
