"""What the simulated company offers, and where the ends of a journey lie."""

from datetime import datetime
from typing import Any

import pytest

from apps.transfers.suppliers.base import Passengers, Place, TransferOffer
from apps.transfers.suppliers.simulator import catalogue
from apps.transfers.suppliers.simulator.catalogue import pickup_of
from tests.transfers.suppliers.requests import HOTEL, OUTBOUND, PALMA, a_search


def search(**changes: Any) -> list[TransferOffer]:
    return catalogue.search(a_search(**changes), 100)


def categories(found: list[TransferOffer]) -> set[str]:
    return {offer.vehicle.category for offer in found}


def iata(code: str) -> Place:
    return Place("IATA", code)


@pytest.mark.parametrize(
    ("party", "expected"),
    [
        (1, {"shuttle", "economy", "comfort", "business", "minivan", "minibus"}),
        (3, {"shuttle", "economy", "comfort", "business", "minivan", "minibus"}),
        (4, {"shuttle", "minivan", "minibus"}),
        (8, {"shuttle", "minibus"}),
        (17, {"shuttle"}),
        (48, {"shuttle"}),
    ],
)
def test_every_party_fits_in_what_it_is_offered(party: int, expected: set[str]) -> None:
    assert categories(search(passengers=Passengers(party))) == expected


def test_every_shape_of_policy_is_offered() -> None:
    shapes = {
        tuple(
            (step.starts_at is None, step.amount_cents == offer.total_cents)
            for step in offer.cancellation_policy
        )
        for offer in search()
    }
    assert shapes == {
        ((False, True),),  # free until the day before
        ((True, True),),  # nothing back
        ((True, False), (False, True)),  # a fee, then all
        ((False, False), (False, False), (False, True)),  # falling
    }


def test_policies_count_from_the_local_pickup() -> None:
    (offer,) = search(vehicle_class="economy")
    (step,) = offer.cancellation_policy
    assert step.starts_at is not None
    assert step.starts_at.isoformat() == "2027-02-02T13:30:00+00:00"  # 14:30 in Palma, a day before


def test_a_shared_seat_is_paid_by_the_head_and_a_car_is_not() -> None:
    one = {offer.vehicle.category: offer.total_cents for offer in search()}
    three = {offer.vehicle.category: offer.total_cents for offer in search(passengers=Passengers(2, 0, 1))}
    assert three["shuttle"] == 3 * one["shuttle"]
    assert three["economy"] == one["economy"]


def test_one_is_picked_up_when_the_flight_arrives_and_in_time_for_the_one_that_leaves() -> None:
    arriving = pickup_of(a_search(), 45)
    leaving = pickup_of(a_search(start=HOTEL, end=PALMA), 45)
    assert arriving.at == OUTBOUND
    assert leaving.at == datetime(2027, 2, 3, 11, 45)
    assert arriving.instructions != leaving.instructions


STATION, PORT = Place("STATION", "1"), Place("PORT", "1")


@pytest.mark.parametrize(
    ("start", "end", "at"),
    [
        (STATION, HOTEL, OUTBOUND),
        (HOTEL, STATION, datetime(2027, 2, 3, 13, 30)),
        (STATION, PALMA, datetime(2027, 2, 3, 11, 45)),
        (PORT, HOTEL, OUTBOUND),
        (HOTEL, PORT, OUTBOUND),
        (PORT, PALMA, OUTBOUND),
        (PALMA, PORT, OUTBOUND),
    ],
)
def test_only_before_a_departure_the_pick_up_is_worked_out(start: Place, end: Place, at: datetime) -> None:
    assert pickup_of(a_search(start=start, end=end), 45).at == at


def test_every_vehicle_drives_both_ways() -> None:
    one_way, both = (
        {offer.vehicle.category: offer for offer in search(**changes)}
        for changes in ({}, {"inbound": datetime(2027, 2, 10, 14, 30)})
    )
    assert one_way.keys() == both.keys()
    for category, trip in both.items():
        assert trip.back is not None
        assert trip.back.vehicle.category == category
