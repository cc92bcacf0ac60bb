"""What the driver meets or has to catch: one entry for each end that is an airport, a station or a port."""

from typing import Any

import pytest

from apps.suppliers.errors import InvalidField
from apps.transfers.suppliers.base import Place
from apps.transfers.suppliers.hotelbeds.places import transfer_details
from tests.transfers.suppliers.requests import HOTEL, PALMA, a_search

STATION, PORT = Place("STATION", "PMS"), Place("PORT", "PMP")


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
def test_each_terminal_has_its_entry(
    start: Place, end: Place, told: str | None, expected: list[dict[str, Any]]
) -> None:
    assert transfer_details(a_search(start=start, end=end), told) == expected


@pytest.mark.parametrize(
    ("start", "end", "told", "says"),
    [
        (PALMA, HOTEL, None, "must name the flight at `from`"),
        (HOTEL, PALMA, "", "must name the flight at `to`"),
        (PALMA, HOTEL, "ABCD1234", "must have 7 characters at most for the flight at `from`"),
        (PALMA, HOTEL, "TP1234; 3082", "must name the flight at `from`"),
        (STATION, HOTEL, None, "must name the train at `from`"),
        (HOTEL, STATION, "AVE 03082", "must have 7 characters at most for the train at `to`"),
        (PORT, HOTEL, None, "must name the ship, `,` and its company at `from`"),
        (PORT, HOTEL, "SEASIDE", "must name the ship, `,` and its company at `from`"),
        (PORT, HOTEL, ", MSC", "must name the ship, `,` and its company at `from`"),
        (PORT, HOTEL, "SEASIDE II, MSC", "must have 7 characters at most for the ship at `from`"),
        (PORT, HOTEL, "SEASIDE, " + "M" * 51, "must have 50 characters at most for the ship's company"),
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
