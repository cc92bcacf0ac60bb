"""City codes: whose airports they are, and which codes are an airport's."""

import pytest

from apps.suppliers import airports, cities
from apps.suppliers.cities import ALSO


@pytest.mark.parametrize(
    ("code", "some"),
    [("LON", {"LHR", "LGW", "SEN"}), ("NYC", {"JFK", "EWR"}), ("TYO", {"HND", "NRT"}), ("BUH", {"OTP"})],
)
def test_a_city_has_its_airports(code: str, some: set[str]) -> None:
    assert some <= {airport.code for airport in cities.open_to_passengers(code)}


@pytest.mark.parametrize(
    ("code", "found"), [("LHR", ["LHR"]), ("BKK", ["BKK"]), ("SHA", ["SHA"]), ("QQQ", [])]
)
def test_an_airports_code_is_the_airport_alone(code: str, found: list[str]) -> None:
    assert [airport.code for airport in cities.airports_at(code)] == found


def test_a_closed_airport_takes_nobody() -> None:
    assert [one.code for one in cities.airports_at("TXL")] == ["TXL"]
    assert cities.open_to_passengers("TXL") == ()


def test_what_is_added_to_the_list_exists_and_hides_no_airport() -> None:
    assert ALSO
    for city, codes in ALSO.items():
        assert airports.find(city) is None
        assert all(airports.open_to_passengers(code) for code in codes)
