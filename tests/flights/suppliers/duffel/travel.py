"""The connector before its stand-in, and what a test books with it."""

from dataclasses import replace
from typing import Any

from apps.flights.suppliers.base import FlightOffer, OrderRequest
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.flights.suppliers.duffel.client import DuffelClient
from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.requests import a_search, an_order


def connector(stub: DuffelStub, *, token: str = TOKEN, vouchers_taken: bool = False) -> DuffelFlights:
    return DuffelFlights(DuffelClient(access_token=token, base_url=stub.url), vouchers_taken=vouchers_taken)


def flexible(duffel: DuffelFlights, **search: Any) -> FlightOffer:
    """The cheapest offer that may be returned and changed."""
    offers = duffel.search(a_search(**search))
    return next(offer for offer in offers if offer.conditions.refundable)


def an_order_by(offer: FlightOffer, **traveller: Any) -> OrderRequest:
    """An order of one traveller who differs from the usual one so."""
    request = an_order(offer, "F-7KQ2M9XD")
    (usual,) = request.passengers
    return replace(request, passengers=(replace(usual, **traveller),))
