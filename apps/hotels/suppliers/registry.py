"""The hotel suppliers: each is a folder here, and a line below."""

from apps.hotels.suppliers.base import HotelSupplier
from apps.suppliers.registry import StoredRate, choose
from apps.suppliers.vendors import Vendor, declared

VENDORS: dict[str, Vendor[HotelSupplier]] = declared("apps.hotels.suppliers", "simulator", "liteapi")


def hotel_supplier(
    environment: str, fault: str = "", exchange: StoredRate = None, *, named: str = ""
) -> HotelSupplier:
    """The supplier of hotels in an environment. For what exists already: the one that is `named`, at the rate `exchange`."""
    return choose("hotels", environment, VENDORS, named=named, fault=fault, exchange=exchange)
