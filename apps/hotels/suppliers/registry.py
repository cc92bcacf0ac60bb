"""The hotel suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.liteapi.adapter import lite_api
from apps.hotels.suppliers.simulator import hotel_simulator
from apps.suppliers.choice import Kept, choose

ADAPTERS: dict[str, Callable[[], HotelSupplier]] = {
    "simulator": hotel_simulator,
    "liteapi": lite_api,
}


def hotel_supplier(
    environment: str, trouble: str = "", exchange: Kept = None, *, named: str = ""
) -> HotelSupplier:
    """The supplier of hotels in an environment; for what is there already, the one it is `named` for, at its `exchange`."""
    return choose("hotels", environment, ADAPTERS, named=named, trouble=trouble, exchange=exchange)
