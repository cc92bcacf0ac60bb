"""The transfer simulator. `transfer_simulator()` is the one that this deployment uses."""

from django.conf import settings

from apps.transfers.suppliers.base import TransferSupplier
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from apps.transfers.suppliers.simulator.remote import RemoteTransfers


def transfer_simulator() -> TransferSupplier:
    """In this process, or at SIMULATOR_URL where that is set."""
    if settings.SIMULATOR_URL:
        return RemoteTransfers(settings.SIMULATOR_URL)
    # Imported late: a simulator outside this service has no Django, and so no models.
    from apps.suppliers.simulation.database_store import DatabaseStore

    return TransferSimulator(DatabaseStore("transfers"))
