"""Duffel's test routes, each as its documentation has it, and what our partners would be told."""

from typing import Any

import pytest

from apps.flights.suppliers.base import OrderRequest
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.errors import Expired, OutcomeUnknown, Unavailable
from apps.suppliers.models import SupplierAlert
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import flexible
from tests.flights.suppliers.requests import a_search, an_order

pytestmark = pytest.mark.django_db


def on(duffel: DuffelFlights, route: str) -> OrderRequest:
    """An order on `LHR-STN`."""
    return an_order(flexible(duffel, origin=route[:3], destination=route[4:]))


def test_a_route_without_offers_answers_none(duffel: DuffelFlights) -> None:
    assert duffel.search(a_search(origin="PVD", destination="RAI")) == []


def test_a_search_that_takes_too_long_is_unavailable(duffel: DuffelFlights, no_pauses: None) -> None:
    with pytest.raises(Unavailable):
        duffel.search(a_search(origin="STN", destination="LHR"))


def test_a_route_without_direct_flights_answers_connections(duffel: DuffelFlights) -> None:
    found = duffel.search(a_search(origin="LHR", destination="DXB"))
    assert {len(offer.slices[0].segments) for offer in found} == {2}


def test_a_price_that_rises_on_each_read_is_told_each_time(duffel: DuffelFlights) -> None:
    offer = on(duffel, "LHR-STN").offer
    prices = [duffel.reprice(offer).total_cents for _ in range(2)]
    assert offer.total_cents < prices[0] < prices[1]


def test_an_offer_that_may_be_held_is_paid_at_once(duffel: DuffelFlights) -> None:
    assert duffel.book(on(duffel, "JFK-EWR")).issued is True


@pytest.mark.parametrize(
    ("route", "outcome", "alerts"),
    [
        ("LGW-LHR", Expired, []),
        ("LHR-LGW", OutcomeUnknown, []),
        ("LGW-STN", Unavailable, ["wallet_empty"]),
        ("SEN-STN", OutcomeUnknown, []),
        ("LCY-STN", OutcomeUnknown, []),
    ],
)
def test_an_order_ends_as_its_route_says(
    stub: DuffelStub, duffel: DuffelFlights, route: str, outcome: Any, alerts: list[str]
) -> None:
    request = on(duffel, route)
    with pytest.raises(outcome):
        duffel.book(request)
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == alerts
    found = duffel.find_order(request.client_ref, request.offer)
    assert (found is not None) == (route == "SEN-STN")


def test_an_order_whose_details_are_to_come_is_booked(stub: DuffelStub, duffel: DuffelFlights) -> None:
    assert duffel.book(on(duffel, "LTN-STN")).issued is False
