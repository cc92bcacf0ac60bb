"""Our journeys in their words: the two ends, and the flight, train or ship at each."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.suppliers.errors import InvalidField
from apps.transfers.suppliers.base import Passengers, Place
from apps.transfers.suppliers.hotelbeds.places import (
    addresses,
    details_of_legs,
    is_point,
    point,
    route,
    transfer_details,
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


def entry(type: str, direction: str, code: str, company: str | None = None) -> dict[str, Any]:
    return {"type": type, "direction": direction, "code": code, "companyName": company}


@pytest.mark.parametrize(
    ("start", "end", "told", "expected"),
    [
        (PALMA, HOTEL, "tp 1234", [entry("FLIGHT", "ARRIVAL", "TP1234")]),
        (HOTEL, PALMA, "TP1234", [entry("FLIGHT", "DEPARTURE", "TP1234")]),
        (STATION, HOTEL, "AVE 3082", [entry("TRAIN", "ARRIVAL", "AVE3082")]),
        (HOTEL, STATION, "3082", [entry("TRAIN", "DEPARTURE", "3082")]),
        (PORT, HOTEL, "Seaside, MSC Cruises", [entry("CRUISE", "ARRIVAL", "SEASIDE", "MSC Cruises")]),
        (HOTEL, PORT, "SEASIDE,MSC", [entry("CRUISE", "DEPARTURE", "SEASIDE", "MSC")]),
        (
            PORT,
            HOTEL,
            "GRANDIOSA, MSC Cruises",
            [entry("CRUISE", "ARRIVAL", "GRANDIOSA", "MSC Cruises")],
        ),
        (HOTEL, PORT, "Icon  of the Seas", [entry("CRUISE", "DEPARTURE", "ICON OF THE SEAS")]),
        (
            PALMA,
            PORT,
            "TP1234; SEASIDE, MSC Cruises",
            [entry("FLIGHT", "ARRIVAL", "TP1234"), entry("CRUISE", "DEPARTURE", "SEASIDE", "MSC Cruises")],
        ),
        (
            STATION,
            PALMA,
            "AVE3082;TP1234",
            [entry("TRAIN", "ARRIVAL", "AVE3082"), entry("FLIGHT", "DEPARTURE", "TP1234")],
        ),
        (HOTEL, Place("HOTEL", "266"), "TP1234", []),
        (HOTEL, Place("HOTEL", "266"), None, []),
    ],
)
def test_each_terminal_has_its_entry(start, end, told, expected):
    assert transfer_details(a_search(start=start, end=end), told) == expected


RETURN = a_search(start=PALMA, end=PORT, inbound=a_search().outbound + timedelta(days=7))


def test_each_leg_has_its_own_entries_and_field() -> None:
    assert route(RETURN).endswith("/to/PORT/PMP/2027-02-03T14:30:00/2027-02-10T14:30:00/1/0/0")
    assert details_of_legs(RETURN, ("TP1234; SEASIDE", "SEASIDE; TP1235")) == [
        [entry("FLIGHT", "ARRIVAL", "TP1234"), entry("CRUISE", "DEPARTURE", "SEASIDE")],
        [entry("CRUISE", "ARRIVAL", "SEASIDE"), entry("FLIGHT", "DEPARTURE", "TP1235")],
    ]
    with pytest.raises(InvalidField) as raised:
        details_of_legs(RETURN, ("TP1234; SEASIDE", "TP1235"))
    assert raised.value.field == "inboundFlightNumber"
    assert raised.value.message.startswith(
        "must name the ship (after `,` its company) at `to` and the flight at"
    )


@pytest.mark.parametrize(
    ("start", "end", "told", "says"),
    [
        (PALMA, HOTEL, None, "must name the flight at `from`"),
        (HOTEL, PALMA, "", "must name the flight at `to`"),
        (PALMA, HOTEL, "ABCD1234", "must have 7 characters at most for the flight at `from`"),
        (PALMA, HOTEL, "TP/1234", "must have letters, digits and hyphens only for the flight at `from`"),
        (PALMA, HOTEL, "TP1234; 3082", "must name the flight at `from`"),
        (STATION, HOTEL, None, "must name the train at `from`"),
        (HOTEL, STATION, "AVE 03082", "must have 7 characters at most for the train at `to`"),
        (PORT, HOTEL, None, "must name the ship (after `,` its company) at `from`"),
        (PORT, HOTEL, ", MSC", "must name the ship (after `,` its company) at `from`"),
        (PORT, HOTEL, "S" * 51 + ", MSC", "must have 50 characters at most for the ship at `from`"),
        (PORT, HOTEL, "SEASIDE, " + "M" * 101, "must have 100 characters at most for the ship's company"),
        (
            PALMA,
            STATION,
            "TP1234",
            "must name the flight at `from` and the train at `to`, with `;` in between",
        ),
        (
            PALMA,
            STATION,
            "TP1234;",
            "must name the flight at `from` and the train at `to`, with `;` in between",
        ),
    ],
)
def test_what_is_missing_or_too_long_is_said(start: Place, end: Place, told: str | None, says: str) -> None:
    with pytest.raises(InvalidField) as raised:
        transfer_details(a_search(start=start, end=end), told)
    assert (raised.value.field, raised.value.message) == ("flightNumber", says)
