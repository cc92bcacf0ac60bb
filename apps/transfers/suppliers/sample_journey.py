"""A journey of ours at a supplier of transfers, for a recording: it uses each call once."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from apps.common import clock
from apps.transfers.suppliers.base import LeadPassenger, OrderRequest, Place, TransferSearch, TransferSupplier

DAYS_AHEAD = 60


def travel(
    supplier: TransferSupplier, client_ref: str, traveller: Mapping[str, str], *, book: bool
) -> list[Any]:
    """What each call answered. Raises SupplierError; LookupError where nothing is on offer."""
    outbound = datetime.combine(clock.today() + timedelta(days=DAYS_AHEAD), time(14, 30))
    search = TransferSearch(Place("IATA", "PMI"), Place("HOTEL", "265"), outbound, "EUR")
    offers = supplier.search(search)
    current = supplier.reprice(search, offers[0])
    if not book:
        return [offers, current]
    lead = LeadPassenger(
        traveller["first_name"], traveller["last_name"], traveller["email"], traveller["phone"]
    )
    request = OrderRequest(client_ref, search, current, lead, flight_number="TP1234")
    order = supplier.book(request)
    found = supplier.find_order(client_ref, request)
    quote = supplier.quote_cancellation(order.supplier_reference)
    done = supplier.cancel(f"{client_ref}-X", order.supplier_reference, quote)
    after = supplier.read_order(order.supplier_reference)
    return [offers, current, order, found, quote, done, after]
