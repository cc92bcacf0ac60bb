"""The flight suppliers: each is a folder here, and a line below."""

from apps.flights.suppliers.base import FlightSupplier
from apps.suppliers.registry import StoredRate, choose
from apps.suppliers.vendors import Vendor, declared

VENDORS: dict[str, Vendor[FlightSupplier]] = declared("apps.flights.suppliers", "simulator", "duffel")


def flight_supplier(
    environment: str, fault: str = "", exchange: StoredRate = None, *, named: str = ""
) -> FlightSupplier:
    """The supplier of flights in an environment. For what exists already: the one that is `named`, at the rate `exchange`."""
    return choose("flights", environment, VENDORS, named=named, fault=fault, exchange=exchange)
