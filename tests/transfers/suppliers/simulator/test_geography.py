import pytest

from apps.suppliers.airports import distance_km, find
from apps.transfers.suppliers.base import Place
from apps.transfers.suppliers.simulator.catalogue import NEARBY_KM, locate
from tests.transfers.suppliers.requests import HOTEL, PALMA, point


def test_an_airport_lies_where_it_is() -> None:
    spot, _ = locate(PALMA, HOTEL)
    airport = find("PMI")
    assert airport is not None
    assert (spot.latitude, spot.longitude) == (airport.latitude, airport.longitude)
    assert (spot.country, spot.zone) == ("ES", "Europe/Madrid")


@pytest.mark.parametrize("kind", ["HOTEL", "STATION", "PORT"])
def test_a_code_lies_some_kilometres_from_the_other_end(kind: str) -> None:
    nearest, furthest = NEARBY_KM[kind]
    for code in map(str, range(40)):
        start, end = locate(PALMA, Place(kind, code))
        assert nearest - 1 <= distance_km(start, end) <= furthest + 1
        assert end.zone == "Europe/Madrid"


def test_codes_lie_at_spots_of_their_own() -> None:
    spots = {locate(PALMA, Place("HOTEL", str(n)))[1] for n in range(20)}
    assert len(spots) == 20


def test_the_way_back_begins_where_the_way_there_ended() -> None:
    assert locate(PALMA, HOTEL) == locate(HOTEL, PALMA)[::-1]


def test_coordinates_decide_where_anything_lies() -> None:
    kyoto = Place(
        "HOTEL", "265", latitude=point("35.01", "0").latitude, longitude=point("0", "135.76").longitude
    )
    _, end = locate(PALMA, kyoto)
    assert (end.latitude, end.longitude, end.country, end.zone) == (35.01, 135.76, "JP", "Asia/Tokyo")


def test_a_town_decides_where_a_code_lies() -> None:
    _, end = locate(PALMA, Place("HOTEL", "265", town="Barcelona", country="ES"))
    barcelona = find("BCN")
    assert barcelona is not None
    assert distance_km(end, barcelona) <= 40


def test_two_codes_lie_in_one_area() -> None:
    start, end = locate(HOTEL, Place("STATION", "9"))
    assert distance_km(start, end) <= 70
    assert locate(HOTEL, Place("STATION", "9")) == (start, end)


@pytest.mark.parametrize("ends", [("90", "0"), ("-90", "180"), ("89.99", "-179.99")])
def test_the_poles_are_places_too(ends: tuple[str, str]) -> None:
    start, end = locate(point(*ends), HOTEL)
    assert distance_km(start, end) <= 100
