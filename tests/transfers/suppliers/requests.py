"""What a caller of a transfer supplier would ask for."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

from apps.transfers.suppliers.base import LeadPassenger, OrderRequest, Place, TransferOffer, TransferSearch

OUTBOUND = datetime(2027, 2, 3, 14, 30)
PALMA = Place("IATA", "PMI")
HOTEL = Place("HOTEL", "265")
ADA = LeadPassenger("Ada", "Lovelace", "ada@example.com", "+351210000000")


def a_search(**changes: Any) -> TransferSearch:
    """From the airport of Palma to a hotel, one adult, in euros."""
    asked = {"start": PALMA, "end": HOTEL, "outbound": OUTBOUND, "currency": "EUR"}
    return TransferSearch(**{**asked, **changes})


def an_order(offer: TransferOffer, client_ref: str | None = None, **search: Any) -> OrderRequest:
    """An order of `offer`, under a new reference of ours."""
    return OrderRequest(
        client_ref=client_ref or new_ref(),
        search=a_search(**search),
        offer=offer,
        lead_passenger=ADA,
        flight_number="TP1234",
        notes="One pram",
    )


def point(latitude: str, longitude: str) -> Place:
    return Place("GEO", latitude=Decimal(latitude), longitude=Decimal(longitude))


def new_ref() -> str:
    return f"ref-{uuid4().hex[:12]}"
