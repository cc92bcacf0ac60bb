"""The transfer suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.suppliers.choice import choose
from apps.transfers.suppliers.base import TransferSupplier
from apps.transfers.suppliers.simulator import transfer_simulator

ADAPTERS: dict[str, Callable[[], TransferSupplier]] = {
    "simulator": transfer_simulator,
}


def transfer_supplier(environment: str, trouble: str = "") -> TransferSupplier:
    """The supplier that serves transfers of an environment."""
    return choose("transfers", environment, ADAPTERS, trouble=trouble)
