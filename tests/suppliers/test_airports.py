from zoneinfo import ZoneInfo

import airportsdata
import pytest

from apps.suppliers import airports
from apps.suppliers.airports import Airport, distance_km, find
from apps.suppliers.closed_airports import AIR_BASES, CLOSED


def known(code: str) -> Airport:
    airport = find(code)
    assert airport is not None
    return airport


def test_find_knows_where_an_airport_lies_and_which_clock_it_keeps() -> None:
    heathrow = known("LHR")
    assert (heathrow.code, heathrow.city, heathrow.country) == ("LHR", "London", "GB")
    assert (round(heathrow.latitude, 1), round(heathrow.longitude, 1)) == (51.5, -0.5)
    assert heathrow.clock == ZoneInfo("Europe/London")


@pytest.mark.parametrize(
    ("origin", "destination", "kilometres"),
    [
        ("LHR", "JFK", 5540),
        ("LIS", "BER", 2310),
        ("SYD", "AKL", 2160),
        ("NRT", "LAX", 8755),
        ("LIS", "LIS", 0),
    ],
)
def test_distances_are_great_circles(origin: str, destination: str, kilometres: int) -> None:
    there, back = (
        distance_km(known(origin), known(destination)),
        distance_km(known(destination), known(origin)),
    )
    assert there == back
    assert abs(there - kilometres) <= 15


@pytest.mark.parametrize(
    ("latitude", "longitude", "country", "zone"),
    [
        (39, -9, "PT", "Europe/Lisbon"),
        (53, 13, "DE", "Europe/Berlin"),
        (36, 140, "JP", "Asia/Tokyo"),
        (-17, 180, "FJ", "Pacific/Fiji"),
        (-17, -180, "FJ", "Pacific/Fiji"),
    ],
)
def test_the_nearest_airport_tells_the_country_and_the_clock(
    latitude: int, longitude: int, country: str, zone: str
) -> None:
    airport = airports.nearest(latitude, longitude)
    assert (airport.country, airport.zone) == (country, zone)


def test_a_town_has_its_airports_in_every_spelling() -> None:
    london = {airport.code for airport in airports.of_town("LONDON", "GB")}
    assert {"LHR", "LGW", "STN"} <= london
    assert {airport.country for airport in airports.of_town("london")} > {"GB"}
    assert airports.of_town("london", "PT") == []
    assert airports.of_town("Nowhere on Earth") == []


def test_what_is_closed_or_an_air_base_is_not_open_to_passengers() -> None:
    shut = AIR_BASES | CLOSED.keys()
    assert [code for code in sorted(shut) if not find(code)] == []  # each is still an airport of the package
    assert {code for code in airportsdata.load("IATA") if not airports.open_to_passengers(code)} == shut
    assert airports.open_to_passengers("LHR") == find("LHR")
    assert airports.open_to_passengers("XXX") is None
