"""What the simulated carriers sell beside the fare, and where they differ."""

from dataclasses import replace

import pytest

from apps.flights.suppliers.base import FlightOffer, Passengers
from apps.flights.suppliers.simulator import offers, services
from apps.suppliers.values import replaced
from tests.flights.suppliers.requests import a_search


def flown_by(carrier: str) -> FlightOffer:
    """An offer of two adults and a child, out and back, as if this carrier flew it all."""
    passengers = Passengers(adults=2, children=1, infants=1)
    offer = offers.search(a_search(passengers=passengers), 100)[0]
    slices = tuple(
        replace(leg, segments=tuple(replaced(one, carrier=carrier) for one in leg.segments))
        for leg in offer.slices
    )
    return replace(offer, slices=slices)


@pytest.mark.parametrize(
    ("carrier", "has_maps", "kinds"),
    [
        ("LH", True, {"checked_bag"}),
        ("FR", True, {"checked_bag", "carry_on_bag"}),
        ("TO", False, {"checked_bag", "carry_on_bag"}),
        ("U2", True, set()),
    ],
)
def test_carriers_differ(carrier: str, has_maps: bool, kinds: set[str]) -> None:
    offer = flown_by(carrier)
    assert bool(services.seat_maps(offer, 100)) == has_maps
    assert {one.kind for one in services.of_offer(offer, 100)} == kinds


@pytest.mark.parametrize("cabin", ["economy", "premium_economy", "business", "first"])
def test_a_map_is_the_same_whenever_it_is_read(cabin: str) -> None:
    offer = replace(flown_by("LH"), cabin=cabin)
    first, again = (services.seat_maps(offer, 100) for _ in range(2))
    assert first == again
    seats = list(services.seats_of(first))
    assert {one.passenger for one in seats} == {0, 1, 2}
    assert len({(one.segments, one.designator, one.passenger) for one in seats}) == len(seats)


def test_rows_have_as_many_sections_as_aisles_and_one() -> None:
    for seat_map in services.seat_maps(flown_by("LH"), 100):
        for cabin in seat_map.cabins:
            assert len({len(row) for row in cabin.rows}) == 1
