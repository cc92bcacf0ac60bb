"""The eSIM suppliers: each is a folder here, and a line below."""

from apps.esim.suppliers.base import EsimSupplier
from apps.suppliers.registry import choose
from apps.suppliers.vendors import Vendor, declared

VENDORS: dict[str, Vendor[EsimSupplier]] = declared(
    "apps.esim.suppliers",
    "simulator",
    "airalo",
)


def esim_supplier(environment: str, fault: str = "", *, named: str = "") -> EsimSupplier:
    """The supplier of eSIMs in an environment. For what exists already: the one that is `named`."""
    return choose("esim", environment, VENDORS, named=named, fault=fault)
