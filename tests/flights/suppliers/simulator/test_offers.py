from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from apps.flights.suppliers.base import FlightOffer
from apps.flights.suppliers.simulator import offers
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.flights.suppliers.simulator.offers import fare_of, slice_totals
from apps.suppliers.errors import Expired
from tests.flights.suppliers.requests import DEPARTURE, a_change, a_search, an_order, new_ref
from tests.judge.books import Books


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


def test_a_flight_has_the_comfort_of_its_cabin_and_a_leg_what_its_fare_includes() -> None:
    offered = {cabin: search(cabin=cabin) for cabin in ("economy", "business")}
    for cabin, found in offered.items():
        assert {one.cabin for offer in found for leg in offer.slices for one in leg.segments} == {cabin}
        for offer in found:
            included = fare_of(offer).included
            assert {leg.conditions for leg in offer.slices} == {included}
    comfort = [
        {one.amenities for offer in found for leg in offer.slices for one in leg.segments if one.amenities}
        for found in offered.values()
    ]
    assert all(comfort)
    economy, business = ({int(one.seat_pitch or 0) for one in found} for found in comfort)
    assert max(economy) < min(business)
    assert {one.legroom for one in comfort[1]} == {"more"}


def test_a_change_keeps_the_cabin_and_what_the_fare_includes() -> None:
    simulator = FlightSimulator(Books(), now=lambda: datetime.now(UTC))
    flex = next(one for one in simulator.search(a_search(cabin="business")) if one.conditions.refundable)
    order = simulator.book(an_order(flex))
    for option in simulator.change_options(a_change(order, DEPARTURE)):
        assert {one.cabin for one in option.slice.segments} == {"business"}
        assert option.slice.conditions == fare_of(flex).included
        assert option.slice.segments[0].departure_at != order.slices[0].departure_at
    changed = simulator.change(new_ref(), order.supplier_reference, option)
    assert replace(changed.slices[0], supplier_id="") == option.slice


def test_a_stop_moves_with_its_flight() -> None:
    (stopping, *_) = (
        offer
        for route in (("LHR", "SIN"), ("FRA", "GRU"), ("CDG", "NRT"), ("LAX", "SYD"))
        for offer in search(origin=route[0], destination=route[1], max_connections=0)
        if offer.slices[0].segments[0].stops
    )
    simulator = FlightSimulator(Books(), now=lambda: datetime.now(UTC))
    order = simulator.book(an_order(stopping))
    (before,), (after,) = (
        order.slices[0].segments,
        simulator.move(order.supplier_reference).slices[0].segments,
    )
    was, now = before.stops[0], after.stops[0]
    assert was.arrival_at is not None
    assert now.arrival_at is not None
    assert now.arrival_at - was.arrival_at == after.departure_at - before.departure_at
