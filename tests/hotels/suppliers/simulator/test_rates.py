"""What a stay costs."""

import json
from datetime import date, timedelta

import pytest

from apps.hotels.suppliers.base import KINDS_OF_RATES, Hotel, LocalCharge, Room
from apps.hotels.suppliers.simulator import catalogue
from apps.hotels.suppliers.simulator.rates import charges_at_hotel, occupancy, rates_of, stay_total
from tests.hotels.suppliers.requests import a_search

MONDAY = date(2027, 2, 1)


def hotel(city: str, stars: int = 4) -> Hotel:
    return next(h for h in catalogue.candidates(a_search(city=city, country=None)) if h.stars == stars)


def total(
    city: str = "Lisbon", nights: int = 1, rooms: tuple[Room, ...] = (Room(2),), **changes: object
) -> int:
    asked = {
        "rooms": rooms,
        "check_in": MONDAY,
        "check_out": MONDAY + timedelta(days=nights),
        "share": 100,
        "meal_cents": 0,
        "currency": "EUR",
    }
    return stay_total(hotel(city), **{**asked, **changes})


def test_a_stay_costs_the_sum_of_its_nights() -> None:
    nights = [
        total(check_in=MONDAY + timedelta(days=n), check_out=MONDAY + timedelta(days=n + 1)) for n in range(3)
    ]
    assert total(nights=3) == sum(nights)


@pytest.mark.parametrize(
    ("room", "percent"),
    [
        (Room(1), 88),
        (Room(2), 100),
        (Room(3), 128),
        (Room(6), 212),
        (Room(2, (0, 2)), 100),
        (Room(2, (3, 11)), 130),
        (Room(1, (12, 17)), 138),
    ],
)
def test_a_room_costs_by_who_sleeps_in_it(room: Room, percent: int) -> None:
    assert occupancy(room) == percent


def test_currencies_are_converted_whole() -> None:
    euros, yen = total(), total(currency="JPY")
    assert abs(yen - euros * 164 // 100) <= 1


@pytest.mark.parametrize(
    ("city", "charges"),
    [
        ("Lisbon", (LocalCharge("City tax", 400 * 3 * 3, "EUR"),)),
        ("Tokyo", (LocalCharge("City tax", 200 * 3 * 3, "JPY"),)),
        ("Nairobi", ()),
    ],
)
def test_city_taxes_are_paid_at_the_hotel_in_its_currency(
    city: str, charges: tuple[LocalCharge, ...]
) -> None:
    assert charges_at_hotel(hotel(city), (Room(2, (4,)), Room(1)), nights=3) == charges


def test_a_price_stays_what_it_was() -> None:
    asked = {"rooms": (Room(3, (5,)), Room(2), Room(3, (5,))), "share": 86, "meal_cents": 300}

    assert [total(city, nights=9, **asked) for city in ("Lisbon", "Zürich", "Nairobi")] == [
        341547,
        618730,
        244050,
    ]


def test_some_rates_have_remarks_promotions_and_perks_and_some_have_none() -> None:
    request = a_search(city=None, country=None)
    found = [rate for hotel in catalogue.candidates(request) for rate in rates_of(hotel, request, 100)]
    remarks = [json.loads(rate.remarks) for rate in found]
    assert {remark["kind"] for told in remarks for remark in told} == set(KINDS_OF_RATES)
    for shown in (remarks, [json.loads(r.promotions) for r in found], [json.loads(r.perks) for r in found]):
        assert len(found) / 20 < sum(not told for told in shown) < len(found) * 0.95
