"""The transfer suppliers by name: a new one is its folder and one line here."""

from collections.abc import Callable

from apps.suppliers.choice import Kept, choose
from apps.suppliers.news import NewsPace
from apps.transfers.suppliers.base import TransferSupplier
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers, hotelbeds_transfers
from apps.transfers.suppliers.simulator import transfer_simulator

ADAPTERS: dict[str, Callable[[], TransferSupplier]] = {
    "simulator": transfer_simulator,
    "hotelbeds": hotelbeds_transfers,
}
NEWS_PACES: dict[str, NewsPace] = {"hotelbeds": HotelbedsTransfers.news}
"""Of those that are not asked as often as SUPPLIER_NEWS_SECONDS says."""


def transfer_supplier(
    environment: str, trouble: str = "", exchange: Kept = None, *, named: str = ""
) -> TransferSupplier:
    """The supplier of transfers in an environment; for what is there already, the one it is `named` for, at its `exchange`."""
    return choose("transfers", environment, ADAPTERS, named=named, trouble=trouble, exchange=exchange)
