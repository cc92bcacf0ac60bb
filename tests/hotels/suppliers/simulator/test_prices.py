from datetime import date, timedelta
from itertools import product

import pytest

from apps.hotels.suppliers.base import Hotel, LocalCharge, Room
from apps.hotels.suppliers.simulator import catalogue
from apps.hotels.suppliers.simulator import rates as prices
from apps.hotels.suppliers.simulator.rates import charges_at_hotel, occupancy, stay_total
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


def test_rooms_cost_the_sum_of_themselves() -> None:
    assert total(rooms=(Room(2), Room(1))) == total(rooms=(Room(2),)) + total(rooms=(Room(1),))


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


def test_meals_are_for_all_but_the_smallest() -> None:
    plain, fed = (total(rooms=(Room(2, (1, 5)),), meal_cents=cents) for cents in (0, 1_000))
    assert fed - plain == 3_000


def test_a_weekend_in_august_is_dearer_than_a_monday_in_january() -> None:
    summer, winter = date(2027, 8, 7), date(2027, 1, 4)
    assert total(check_in=summer, check_out=summer + timedelta(days=1)) > total(
        check_in=winter, check_out=winter + timedelta(days=1)
    )


def test_zurich_is_dearer_than_nairobi() -> None:
    assert total("Zürich") > 2 * total("Nairobi")


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


def test_a_day_is_drawn_once_for_all_rooms_and_hotels_of_a_city(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of 100 hotels, 8 rooms and 30 nights has 72,000 nights in it; they are not priced one by one."""
    drawn: list[object] = []
    monkeypatch.setattr(prices, "draw", lambda low, high, *words: drawn.append(words) or low)
    prices._nights.cache_clear()
    prices._days.cache_clear()
    rooms = tuple(Room(adults) for adults in (1, 2, 3, 4, 5, 6, 1, 2))
    hotels = list(catalogue.candidates(a_search(city="Lisbon", country=None)))[:10]

    for hotel_, share in product(hotels, (86, 100, 128)):
        stay_total(
            hotel_,
            rooms=rooms,
            check_in=MONDAY,
            check_out=MONDAY + timedelta(days=30),
            share=share,
            meal_cents=0,
            currency="EUR",
        )

    assert len(drawn) == 30 + 2 * len(hotels)
    prices._nights.cache_clear()
    prices._days.cache_clear()
