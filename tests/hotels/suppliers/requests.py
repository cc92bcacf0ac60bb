"""What a caller of a hotel supplier would ask for."""

from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import uuid4

from apps.hotels.suppliers.base import Guest, HotelOffer, HotelSupplier, Rate, StayRequest, StaySearch

CHECK_IN = date(2027, 2, 3)
CHECK_OUT = date(2027, 2, 6)
ADA = Guest("Ada", "Lovelace", "adult")


def a_search(**changes: Any) -> StaySearch:
    """Three nights in Lisbon for two, in euros."""
    asked = {
        "check_in": CHECK_IN,
        "check_out": CHECK_OUT,
        "currency": "EUR",
        "city": "Lisbon",
        "country": "PT",
    }
    return StaySearch(**{**asked, **changes})


def rates(offers: list[HotelOffer]) -> Iterator[Rate]:
    return (rate for offer in offers for rate in offer.rates)


def a_rate(supplier: HotelSupplier, *, refundable: bool = True, **changes: Any) -> Rate:
    """The first rate that is refundable, or is not."""
    return next(r for r in rates(supplier.search(a_search(**changes))) if r.refundable is refundable)


def a_stay(rate: Rate, client_ref: str | None = None, **changes: Any) -> StayRequest:
    """A booking of `rate` for one adult, under a new reference of ours."""
    asked = {
        "client_ref": client_ref or new_ref(),
        "rate": rate,
        "guests": (ADA,),
        "email": "ada@example.com",
        "phone": "+351210000000",
    }
    return StayRequest(**{**asked, **changes})


def new_ref() -> str:
    return f"ref-{uuid4().hex}"
