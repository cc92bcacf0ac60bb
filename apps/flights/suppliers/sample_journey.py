"""A journey of ours at a supplier of flights, for a recording: it uses each call once."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from apps.common import clock
from apps.flights.suppliers.base import FlightSearch, FlightSupplier, OrderRequest, Passenger, SearchSlice

DAYS_AHEAD = 60


def travel(
    supplier: FlightSupplier, client_ref: str, traveller: Mapping[str, str], *, book: bool
) -> list[Any]:
    """What each call answered. Raises SupplierError; LookupError where nothing is on offer."""
    day = clock.today() + timedelta(days=DAYS_AHEAD)
    search = FlightSearch((SearchSlice("LHR", "JFK", day),), "EUR")
    offers = supplier.search(search)
    chosen = next((offer for offer in offers if offer.conditions.refundable), offers[0])
    current = supplier.reprice(chosen)
    if not book:
        return [offers, current]
    person = Passenger(
        traveller["first_name"],
        traveller["last_name"],
        date.fromisoformat(traveller["date_of_birth"]),
        "adult",
        "ms",
    )
    request = OrderRequest(client_ref, current, (person,), traveller["email"], traveller["phone"])
    order = supplier.book(request)
    found = supplier.find_order(client_ref, current)
    read = supplier.read_order(order.supplier_reference)
    quote = supplier.quote_cancellation(order.supplier_reference)
    done = supplier.cancel(f"{client_ref}-X", order.supplier_reference, quote)
    after = supplier.read_order(order.supplier_reference)
    return [offers, current, order, found, read, quote, done, after]
