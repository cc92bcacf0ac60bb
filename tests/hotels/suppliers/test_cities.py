import pytest

from apps.common.validators import COUNTRIES
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.cities import distance_km, fold

NO_TOWN = {"AQ", "BV", "HM", "UM"}  # nobody lives there for long


@pytest.mark.parametrize("name", ["Lisbon", "lisbon", "LISBOA", "Lissabon", " Lisbonne "])
def test_a_city_is_found_by_its_names_in_any_language(name: str) -> None:
    city = cities.find(name)
    assert city is not None
    assert (city.name, city.country) == ("Lisbon", "PT")


def test_of_several_cities_the_largest_is_meant_unless_a_country_is_named() -> None:
    assert [cities.find("Birmingham").country, cities.find("Birmingham", "US").country] == ["GB", "US"]


def test_a_city_of_another_country_is_not_found() -> None:
    assert cities.find("Lisbon", "DE") is None
    assert cities.find("Nowhere-upon-Avon") is None


def test_every_country_where_people_live_has_cities() -> None:
    without = {country for country in COUNTRIES if not cities.largest(country, 1)}
    assert without == NO_TOWN


def test_the_list_is_in_order_and_of_this_world() -> None:
    everything = cities._atlas().cities
    populations = [city.population for city in everything]
    assert populations == sorted(populations, reverse=True)
    assert len({city.id for city in everything}) == len(everything) > 19_000
    assert {city.country for city in everything} <= COUNTRIES
    assert all(abs(city.latitude) < 85 and abs(city.longitude) <= 180 for city in everything)


def test_near_lists_by_distance() -> None:
    lisbon = cities.find("Lisbon")
    found = cities.near(lisbon.latitude, lisbon.longitude, 20)
    distances = [distance_km(lisbon.latitude, lisbon.longitude, c.latitude, c.longitude) for c in found]
    assert found[0] == lisbon
    assert distances == sorted(distances)
    assert distances[-1] <= 20


@pytest.mark.parametrize(("name", "folded"), [("São Paulo", "sao paulo"), ("Saint-Denis", "saint denis")])
def test_folding_ignores_case_accents_and_punctuation(name: str, folded: str) -> None:
    assert fold(name) == folded
