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
)

DEPARTURE = date(2027, 2, 3)


def a_search(**changes: Any) -> FlightSearch:
    """Lisbon to Berlin, one adult, in euros."""
    asked = {"origin": "LIS", "destination": "BER", "departure_date": DEPARTURE, "currency": "EUR"}
    return FlightSearch(**{**asked, **changes})


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
