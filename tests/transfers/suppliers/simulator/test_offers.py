from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.suppliers.errors import Expired
from apps.transfers.suppliers.base import Passengers, Place, TransferOffer
from apps.transfers.suppliers.simulator import catalogue
from apps.transfers.suppliers.simulator.catalogue import MODELS, drive_minutes, pickup_of
from tests.transfers.suppliers.requests import HOTEL, OUTBOUND, PALMA, a_search, point


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


def test_children_and_infants_need_seats() -> None:
    assert categories(search(passengers=Passengers(1, 2, 1))) == {"shuttle", "minivan", "minibus"}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.category)
def test_a_class_can_be_asked_for(model: Any) -> None:
    assert [offer.vehicle.category for offer in search(vehicle_class=model.category)] == [model.category]


@pytest.mark.parametrize(
    ("start", "end"),
    [("LHR", "LGW"), ("LIS", "OPO"), ("LIS", "BER"), ("JFK", "EWR"), ("HND", "NRT"), ("SYD", "MEL")],
)
def test_one_drives_from_airport_to_airport(start: str, end: str) -> None:
    assert len(search(start=iata(start), end=iata(end))) >= 5


@pytest.mark.parametrize(("start", "end"), [("LHR", "JFK"), ("LIS", "GRU"), ("SYD", "SIN"), ("NRT", "LAX")])
def test_nobody_drives_across_an_ocean(start: str, end: str) -> None:
    assert search(start=iata(start), end=iata(end)) == []


@pytest.mark.parametrize(
    "end", [HOTEL, Place("STATION", "1"), Place("PORT", "1"), point("39.57", "2.65"), iata("IBZ")]
)
def test_one_drives_from_an_airport_to_any_place(end: Place) -> None:
    there, back = search(end=end), search(start=end, end=PALMA)
    assert categories(there) == categories(back)
    assert len(there) == 6


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


def test_the_same_search_prices_the_same() -> None:
    assert search() == search()


@pytest.mark.parametrize("currency", ["USD", "JPY", "KWD"])
def test_prices_come_in_the_currency_asked_for(currency: str) -> None:
    euros, others = search(), search(currency=currency)
    assert {offer.currency for offer in others} == {currency}
    assert [offer.vehicle for offer in others] == [offer.vehicle for offer in euros]
    assert [offer.total_cents for offer in others] != [offer.total_cents for offer in euros]


def test_a_shared_seat_is_paid_by_the_head_and_a_car_is_not() -> None:
    one = {offer.vehicle.category: offer.total_cents for offer in search()}
    three = {offer.vehicle.category: offer.total_cents for offer in search(passengers=Passengers(2, 0, 1))}
    assert three["shuttle"] == 3 * one["shuttle"]
    assert three["economy"] == one["economy"]


def test_nights_are_dearer() -> None:
    day, night = (search(outbound=OUTBOUND.replace(hour=hour))[0].total_cents for hour in (6, 22))
    assert abs(night - day * 120 // 100) <= 1


def test_further_costs_more_and_takes_longer() -> None:
    near = search(end=point("39.57", "2.65"), vehicle_class="economy")[0]
    far = search(end=point("39.90", "3.08"), vehicle_class="economy")[0]
    assert near.total_cents < far.total_cents
    assert (near.duration_minutes or 0) < (far.duration_minutes or 0)


@pytest.mark.parametrize(
    ("kilometres", "minutes"), [(1, 15), (10, 30), (20, 45), (80, 95), (350, 265), (2_888, 1_870)]
)
def test_drives_take_as_long_as_roads_allow(kilometres: int, minutes: int) -> None:
    assert drive_minutes(kilometres) == minutes


def test_a_limit_keeps_the_cheapest() -> None:
    assert search(limit=2) == search()[:2]


def test_repricing_finds_an_offer_beyond_the_limit() -> None:
    dearest = search()[-1]
    assert catalogue.reprice(a_search(limit=1), dearest, 100) == dearest


def test_repricing_an_offer_of_another_search_says_expired() -> None:
    (van,) = search(vehicle_class="minivan")
    with pytest.raises(Expired):
        catalogue.reprice(a_search(vehicle_class="economy"), van, 100)


def test_one_is_picked_up_when_the_flight_arrives_and_in_time_for_the_one_that_leaves() -> None:
    arriving = pickup_of(a_search(), 45)
    leaving = pickup_of(a_search(start=HOTEL, end=PALMA), 45)
    assert arriving.at == OUTBOUND
    assert leaving.at == datetime(2027, 2, 3, 11, 45)
    assert arriving.instructions != leaving.instructions


def test_prices_differ_by_day() -> None:
    days = [OUTBOUND + timedelta(days=n) for n in range(7)]
    assert len({search(outbound=day)[0].total_cents for day in days}) > 3
