"""The eSIM simulator. It serves test keys, and live keys only where SIMULATE_LIVE_KEYS allows it."""

from apps.esim.suppliers.base import EsimSupplier
from apps.suppliers.vendors import Vendor


def esim_simulator() -> EsimSupplier:
    from apps.esim.suppliers.simulator.adapter import EsimSimulator
    from apps.suppliers.simulation import DatabaseStore

    return EsimSimulator(DatabaseStore("esim"))


VENDOR: Vendor[EsimSupplier] = Vendor("simulator", build=esim_simulator)
