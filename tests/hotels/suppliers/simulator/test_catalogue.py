"""The simulated hotels."""

from decimal import Decimal

import pytest

from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import Area, Hotel
from apps.hotels.suppliers.cities import distance_km
from apps.hotels.suppliers.simulator import catalogue
from tests.hotels.suppliers.requests import a_search

CITIES = [
    "Lisbon",
    "Madrid",
    "Paris",
    "Rome",
    "Vienna",
    "Oslo",
    "Dubai",
    "Tokyo",
    "New York City",
    "Nairobi",
    "Suva",
]


def found(**where: object) -> list[Hotel]:
    return list(catalogue.candidates(a_search(**{"city": None, "country": None, **where})))


@pytest.mark.parametrize("name", CITIES)
def test_the_hotels_of_a_city_are_different_and_lie_in_it(name: str) -> None:
    city = cities.find(name)
    hotels = found(city=name)
    assert len(hotels) == catalogue.count(city)
    assert len({hotel.name for hotel in hotels}) == len(hotels)
    assert {(hotel.city, hotel.country) for hotel in hotels} == {(city.name, city.country)}
    distances = [
        distance_km(city.latitude, city.longitude, float(h.latitude), float(h.longitude)) for h in hotels
    ]
    assert max(distances) < 6.1
    assert max(distances[:2]) < 0.8
    assert {hotel.stars for hotel in hotels} <= {2, 3, 4, 5}
    assert all(set(catalogue.ALWAYS) < set(hotel.amenities) for hotel in hotels)


def test_a_hotel_is_the_same_under_its_id() -> None:
    hotels = found(city="Lisbon")
    assert hotels
    for hotel in hotels:
        assert catalogue.find(hotel.hotel_id) == hotel


@pytest.mark.parametrize("hotel_id", ["", "htl_", "htl_2267057_99", "htl_1_00", "htl_2267057_00x", "rate_1"])
def test_an_id_that_was_never_given_is_nobodys(hotel_id: str) -> None:
    assert catalogue.find(hotel_id) is None


def test_ids_are_answered_in_their_order_once_each_and_unknown_ones_left_out() -> None:
    first, second = [hotel.hotel_id for hotel in found(city="Porto")][:2]
    asked = (second, "htl_0_00", first, second)
    assert [hotel.hotel_id for hotel in found(hotel_ids=asked)] == [second, first]


def test_a_country_offers_its_largest_cities_in_turn() -> None:
    hotels = found(country="ES")
    assert [hotel.city for hotel in hotels[:5]] == [city.name for city in cities.largest("ES", 5)]


def test_an_unknown_city_is_looked_for_in_its_countrys_largest() -> None:
    assert {hotel.city for hotel in found(city="Zermatt", country="CH")} == {cities.largest("CH", 1)[0].name}


def test_a_circle_holds_only_hotels_inside_it_nearest_first() -> None:
    area = Area(Decimal("48.8566"), Decimal("2.3522"), Decimal("3"))
    hotels = found(area=area)
    distances = [distance_km(48.8566, 2.3522, float(h.latitude), float(h.longitude)) for h in hotels]
    assert len(hotels) >= 2
    assert distances == sorted(distances)
    assert distances[-1] <= 3


def test_a_circle_across_the_date_line_has_two_sides() -> None:
    hotels = found(area=Area(Decimal("-16.8"), Decimal("-179.99"), Decimal("100")))
    assert {hotel.country for hotel in hotels} == {"FJ"}


def test_several_places_must_all_be_satisfied() -> None:
    lisbon = Area(Decimal("38.72509"), Decimal("-9.1498"), Decimal("1"))
    ids = tuple(hotel.hotel_id for hotel in found(city="Lisbon"))
    assert {hotel.hotel_id for hotel in found(hotel_ids=ids, area=lisbon)} < set(ids)
    assert found(hotel_ids=ids, country="ES") == []
    assert found(area=lisbon, city="Porto") == []
    assert [hotel.hotel_id for hotel in found(hotel_ids=ids, city="Lisboa")] == list(ids)
