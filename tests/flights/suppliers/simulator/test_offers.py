from typing import Any

import pytest

from apps.flights.suppliers.base import FlightOffer
from apps.flights.suppliers.simulator import offers
from apps.flights.suppliers.simulator.offers import slice_totals
from apps.suppliers.errors import Expired
from tests.flights.suppliers.requests import DEPARTURE, a_search


def search(**changes: Any) -> list[FlightOffer]:
    return offers.search(a_search(**changes), 100)


def kinds(found: list[FlightOffer]) -> set[tuple[bool, bool]]:
    """(refundable, changeable) of each."""
    return {(offer.conditions.refundable, offer.conditions.changeable) for offer in found}


@pytest.mark.parametrize("limit", [4, 5, 10])
def test_a_limit_keeps_the_cheapest_and_hides_no_kind(limit: int) -> None:
    every, found = search(), search(limit=limit)
    assert len(found) == limit
    assert found[0] == every[0]
    assert found == sorted(found, key=lambda offer: offer.total_cents)
    assert {(False, False), (True, True)} <= kinds(found)


def test_a_return_costs_both_ways_and_comes_back_after_arriving() -> None:
    found = search(return_date=DEPARTURE)
    assert found
    for offer in found:
        out, back = offer.slices
        assert out.arrival_at < back.departure_at
        assert sum(slice_totals(offer, 100)) == offer.total_cents


def test_a_foreign_offer_is_not_known() -> None:
    offer = search()[0]
    foreign = FlightOffer(
        **{f: getattr(offer, f) for f in offer.__slots__} | {"supplier_data": {"id": "off_1"}}
    )
    with pytest.raises(Expired):
        slice_totals(foreign, 100)
