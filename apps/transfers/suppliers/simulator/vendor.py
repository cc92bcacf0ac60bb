"""The transfer simulator. It serves test keys, and live keys only where SIMULATE_LIVE_KEYS allows it."""

from apps.suppliers.vendors import Vendor
from apps.transfers.suppliers.base import TransferSupplier


def transfer_simulator() -> TransferSupplier:
    from apps.suppliers.simulation import DatabaseStore
    from apps.transfers.suppliers.simulator.adapter import TransferSimulator

    return TransferSimulator(DatabaseStore("transfers"))


VENDOR: Vendor[TransferSupplier] = Vendor("simulator", build=transfer_simulator)
