"""What a caller of a flight supplier would ask for."""

from datetime import date
from typing import Any
from uuid import uuid4

from apps.flights.suppliers.base import (
    ChangeSearch,
    FlightOffer,
    FlightOrder,
    FlightSearch,
    OrderRequest,
    Passenger,
    SearchSlice,
)

DEPARTURE = date(2027, 2, 3)


def a_search(**changes: Any) -> FlightSearch:
    """Lisbon to Berlin, one adult, in euros."""
    way = {"origin": "LIS", "destination": "BER", "departure_date": DEPARTURE, "return_date": None}
    way |= {name: changes.pop(name) for name in list(changes) if name in way}
    return FlightSearch(**{"slices": a_journey(**way), "currency": "EUR", **changes})


def a_journey(
    origin: str, destination: str, departure_date: date, return_date: date | None = None
) -> tuple[SearchSlice, ...]:
    """There, and back if there is a day for it."""
    out = SearchSlice(origin, destination, departure_date)
    return (out, SearchSlice(destination, origin, return_date)) if return_date else (out,)


def an_order(offer: FlightOffer, client_ref: str | None = None) -> OrderRequest:
    """An order of `offer` for one adult, under a new reference of ours."""
    return OrderRequest(
        client_ref=client_ref or new_ref(),
        offer=offer,
        passengers=(Passenger("Ada", "Lovelace", date(1990, 12, 10), "adult", "ms"),),
        email="ada@example.com",
        phone="+351210000000",
    )


def a_change(order: FlightOrder, departure_date: date, position: int = 0) -> ChangeSearch:
    """The order's slice at `position` moved to another day on the same route."""
    leg = order.slices[position]
    return ChangeSearch(
        order.supplier_reference, leg.supplier_id, leg.origin, leg.destination, departure_date
    )


def new_ref() -> str:
    return f"ref-{uuid4().hex}"
