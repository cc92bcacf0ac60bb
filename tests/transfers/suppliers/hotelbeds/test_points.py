"""What is asked for: our places in their words, and what live orders lack."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import pytest

from apps.suppliers.errors import InvalidField
from apps.transfers.suppliers.base import Passengers, Place, TransferSearch
from apps.transfers.suppliers.hotelbeds.places import (
    Point,
    addresses,
    is_point,
    point,
    route,
)
from tests.transfers.suppliers.requests import HOTEL, PALMA, a_search
from tests.transfers.suppliers.requests import point as coordinates

VILLA = replace(
    coordinates("39.57", "-2.6501234"), address="Carrer Nou 1", town="Palma", country="ES", zip="07001"
)
STATION, PORT = Place("STATION", "PMS"), Place("PORT", "PMP")


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (PALMA, HOTEL, "from/IATA/PMI/to/ATLAS/265"),
        (HOTEL, PALMA, "from/ATLAS/265/to/IATA/PMI"),
        (STATION, PORT, "from/STATION/PMS/to/PORT/PMP"),
        (PALMA, VILLA, "from/IATA/PMI/to/GPS/39.570000,-2.650123"),
        (VILLA, HOTEL, "from/GPS/39.570000,-2.650123/to/ATLAS/265"),
        (PALMA, replace(VILLA, type="HOTEL", code="NH-7"), "from/IATA/PMI/to/GPS/39.570000,-2.650123"),
        (Place("STATION", "A/B C"), HOTEL, "from/STATION/A%2FB%20C/to/ATLAS/265"),
    ],
)
def test_a_search_is_a_path(start: Place, end: Place, expected: str) -> None:
    asked = a_search(start=start, end=end, passengers=Passengers(2, 1, 3))
    assert route(asked) == f"{expected}/2027-02-03T14:30:00/2/1/3"


def test_coordinates_go_out_with_six_decimals() -> None:
    assert point(replace(VILLA, latitude=Decimal("1e-7"), longitude=Decimal("180")), "to") == Point(
        "GPS", "0.000000,180.000000"
    )


@pytest.mark.parametrize("place", [PALMA, STATION, PORT])
def test_nobody_drives_between_two_of_a_kind(place: Place) -> None:
    with pytest.raises(InvalidField) as raised:
        route(a_search(start=place, end=replace(place, code="BCN")))
    assert raised.value.field == "to"


@pytest.mark.parametrize("part", ["address", "town", "country", "zip"])
def test_coordinates_need_an_address(part: str) -> None:
    with pytest.raises(InvalidField) as raised:
        route(a_search(end=replace(VILLA, **{part: None})))
    assert raised.value.field == f"to.{part}"


def test_a_hotel_of_another_directory_needs_coordinates() -> None:
    with pytest.raises(InvalidField) as raised:
        route(a_search(start=Place("HOTEL", "NH-7"), end=PALMA))
    assert raised.value.field == "from.code"


@pytest.mark.parametrize("code", [".", "..", None])
@pytest.mark.parametrize("kind", ["STATION", "PORT"])
def test_a_code_never_leads_elsewhere(kind: str, code: str | None) -> None:
    with pytest.raises(InvalidField) as raised:
        route(a_search(end=Place(kind, code)))
    assert raised.value.field == "to.code"


def test_the_driver_is_told_the_address_of_coordinates() -> None:
    known = {"address": "Carrer Nou 1", "town": "Palma", "country": "ES", "zip": "07001"}
    assert addresses(a_search(end=VILLA)) == {"dropoffInformation": {"name": "Carrer Nou 1", **known}}
    named = replace(VILLA, name="Can Nou")
    assert addresses(a_search(start=named, end=PALMA)) == {"pickupInformation": {"name": "Can Nou", **known}}
    assert addresses(a_search()) == {}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"type": "IATA", "code": "PMI"}, False),
        ({"type": "GPS", "code": "39.57,-2.650"}, True),
        ({"type": "GPS", "code": "39.58,-2.650"}, False),
        ({"type": "GPS", "code": "39.57"}, False),
        ({"type": "GPS", "code": "north,-2.650"}, False),
        ({"type": "GPS", "code": "NaN,-2.650"}, False),
        (None, False),
    ],
)
def test_coordinates_are_the_same_place_within_a_hundred_metres(told: object, expected: bool) -> None:
    assert is_point(told, point(VILLA, "to")) is expected


def test_outbound_has_no_offset() -> None:
    asked: TransferSearch = a_search(outbound=datetime(2027, 2, 3, 4, 5, 6))
    assert "/2027-02-03T04:05:06/" in route(asked)
