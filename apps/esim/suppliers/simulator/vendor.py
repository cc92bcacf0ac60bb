"""The eSIM simulator: test keys are served by it, and live keys in a deployment that has chosen no supplier."""

from apps.esim.suppliers.base import EsimSupplier
from apps.suppliers.vendors import Vendor


def esim_simulator() -> EsimSupplier:
    from apps.esim.suppliers.simulator.adapter import EsimSimulator
    from apps.suppliers.simulation.database_store import DatabaseStore

    return EsimSimulator(DatabaseStore("esim"))


VENDOR: Vendor[EsimSupplier] = Vendor("simulator", build=esim_simulator)
