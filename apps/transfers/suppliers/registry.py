"""The transfer suppliers: each is a folder here, and a line below."""

from apps.suppliers.registry import StoredRate, choose
from apps.suppliers.vendors import Vendor, declared
from apps.transfers.suppliers.base import TransferSupplier

VENDORS: dict[str, Vendor[TransferSupplier]] = declared(
    "apps.transfers.suppliers",
    "simulator",
    "hotelbeds",
)


def transfer_supplier(
    environment: str, fault: str = "", exchange: StoredRate = None, *, named: str = ""
) -> TransferSupplier:
    """The supplier of transfers in an environment. For what exists already: the one that is `named`, at the rate `exchange`."""
    return choose("transfers", environment, VENDORS, named=named, fault=fault, exchange=exchange)
