"""The eSIM suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.esim.suppliers.airalo.connect import airalo_esim
from apps.esim.suppliers.base import EsimSupplier
from apps.esim.suppliers.simulator import esim_simulator
from apps.suppliers.choice import choose

ADAPTERS: dict[str, Callable[[], EsimSupplier]] = {
    "airalo": airalo_esim,
    "simulator": esim_simulator,
}


def esim_supplier(environment: str, trouble: str = "", *, named: str = "") -> EsimSupplier:
    """The supplier that serves eSIMs of an environment; for what is there already, the one it is `named` for."""
    return choose("esim", environment, ADAPTERS, named=named, trouble=trouble)
