"""Our journeys in Hotelbeds' words: the two ends, and the flight, train or ship at each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from apps.suppliers.errors import InvalidField
from apps.transfers.suppliers.base import Place, TransferSearch

GPS = "GPS"
ATLAS = "ATLAS"
SAME_WORD = ("IATA", "STATION", "PORT")
ADDRESS = ("address", "town", "country", "zip")
NEARBY = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Point:
    """An end of the journey as they name it."""

    type: str
    code: str


def route(search: TransferSearch) -> str:
    """The end of the availability path. Raises InvalidField for a journey that they cannot be asked for."""
    start, end = ends_of(search)
    party = search.passengers
    times = (search.outbound,) if search.inbound is None else (search.outbound, search.inbound)
    parts = (
        *("from", start.type, start.code),
        *("to", end.type, end.code),
        *(time.strftime("%Y-%m-%dT%H:%M:%S") for time in times),
        *(party.adults, party.children, party.infants),
    )
    return "/".join(quote(str(part), safe=":,") for part in parts)


def ends_of(search: TransferSearch) -> tuple[Point, Point]:
    start, end = point(search.start, "from"), point(search.end, "to")
    if start.type == end.type and start.type in SAME_WORD:
        raise InvalidField(
            "to", "must be of another type than `from`: the supplier does not drive between these"
        )
    return start, end


def point(place: Place, field: str) -> Point:
    """The driver finds coordinates only with an address, which the order has no place for: it must come with the search."""
    if place.type in SAME_WORD:
        if not (place.code or "").strip("."):  # in a path it would stand for another path
            raise InvalidField(f"{field}.code", "is no place that the supplier knows")
        return Point(place.type, place.code or "")
    if place.type == "HOTEL" and (place.code or "").isdecimal():
        return Point(ATLAS, place.code or "")
    if place.latitude is None or place.longitude is None:
        raise InvalidField(
            f"{field}.code", "is no hotel code of the supplier; coordinates and an address do as well"
        )
    for part in ADDRESS:
        if not getattr(place, part):
            raise InvalidField(f"{field}.{part}", "is required with coordinates: the driver has to find it")
    return Point(GPS, f"{place.latitude:.6f},{place.longitude:.6f}")


def address_of(place: Place) -> dict[str, str]:
    """`pickupInformation` or `dropoffInformation` of an end by coordinates."""
    parts = {part: getattr(place, part) or "" for part in ADDRESS}
    return {"name": place.name or parts["address"], **parts}


def addresses(search: TransferSearch) -> dict[str, dict[str, str]]:
    start, end = ends_of(search)
    named = (("pickupInformation", start, search.start), ("dropoffInformation", end, search.end))
    return {name: address_of(place) for name, point, place in named if point.type == GPS}


def is_point(raw: object, expected: Point) -> bool:
    """Whether an end in their answer can be the one expected. Coordinates may come back with fewer decimals. An airport comes
    back nameless in their lists: with the word `null` as its code, and no type.
    """
    if not isinstance(raw, Mapping):
        return False
    if raw.get("type") in (None, "null"):
        return expected.type == "IATA"
    if raw.get("type") != expected.type:
        return False
    if expected.type != GPS:
        return bool(raw.get("code") == expected.code)
    theirs, ours = coordinates(raw.get("code")), coordinates(expected.code)
    return theirs is not None and ours is not None and _near(theirs, ours)


def coordinates(code: object) -> tuple[Decimal, Decimal] | None:
    """`39.57,2.65` as degrees."""
    parts = code.split(",") if isinstance(code, str) else []
    try:
        latitude, longitude = (Decimal(part.strip()) for part in parts)
        on_earth = abs(latitude) <= 90 and abs(longitude) <= 180
    except (ValueError, ArithmeticError):
        return None
    return (latitude, longitude) if on_earth else None


def _near(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]) -> bool:
    return all(abs(a - b) <= NEARBY for a, b in zip(one, other, strict=True))


BETWEEN_ENDS, BEFORE_COMPANY = ";", ","
LONGEST_CODE, LONGEST_SHIP, LONGEST_COMPANY = 7, 50, 100
"""Seven is documented for flights and trains. A ship is sent by its name, and their own example (GRANDIOSA) is longer: how long
one may be is not documented. A company's name may have 100.
"""
CODE = re.compile(r"[A-Z0-9-]+")


@dataclass(frozen=True, slots=True)
class Kind:
    """What goes from a kind of terminal: in their word, and in a word for people."""

    type: str
    word: str
    longest: int = LONGEST_CODE
    has_company: bool = False


KINDS = {
    "IATA": Kind("FLIGHT", "flight"),
    "STATION": Kind("TRAIN", "train"),
    "PORT": Kind("CRUISE", "ship", LONGEST_SHIP, has_company=True),
}


@dataclass(frozen=True, slots=True)
class Terminal:
    """An end of the journey. `field` is its name in a search of ours."""

    kind: Kind
    direction: str
    field: str


OF_LEGS = (("flightNumber", ("from", "to")), ("inboundFlightNumber", ("to", "from")))
"""By leg: the field of an order that has its flights, and the names that a search has for its two ends."""


def terminals(leg: TransferSearch, names: tuple[str, str]) -> list[Terminal]:
    """Where the journey begins they speak of an arrival, where it ends of a departure."""
    ends = ((leg.start, "ARRIVAL", names[0]), (leg.end, "DEPARTURE", names[1]))
    return [Terminal(KINDS[place.type], way, field) for place, way, field in ends if place.type in KINDS]


def details_of_legs(
    search: TransferSearch, flight_numbers: tuple[str | None, ...]
) -> list[list[dict[str, Any]]]:
    """`transfer_details` of each leg. Raises InvalidField."""
    return [
        transfer_details(leg, number, field, names)
        for leg, number, (field, names) in zip(search.legs, flight_numbers, OF_LEGS, strict=False)
    ]


def transfer_details(
    leg: TransferSearch,
    flight_number: str | None,
    field: str = OF_LEGS[0][0],
    names: tuple[str, str] = OF_LEGS[0][1],
) -> list[dict[str, Any]]:
    """An entry for each terminal, as an order wants them. Raises InvalidField for what is missing or too long."""
    ends = terminals(leg, names)
    parts = [part.strip() for part in flight_number.split(BETWEEN_ENDS)] if flight_number is not None else []
    if len(parts) != len(ends) and ends:
        raise InvalidField(field, wanted(ends))
    return [_entry(end, part, ends, field) for end, part in zip(ends, parts, strict=bool(ends))]


def wanted(ends: list[Terminal]) -> str:
    """What the field has to say of this journey."""
    said = " and ".join(f"the {_named(end.kind)} at `{end.field}`" for end in ends)
    between = f", with `{BETWEEN_ENDS}` in between" if len(ends) > 1 else ""
    return f"must name {said}{between}"


def _entry(end: Terminal, part: str, ends: list[Terminal], field: str) -> dict[str, Any]:
    kind = end.kind
    code, _, company = part.partition(BEFORE_COMPANY) if kind.has_company else (part, "", "")
    code, company = spelled(code, " " if kind.has_company else ""), company.strip()
    if not code:
        raise InvalidField(field, wanted(ends))
    if len(code) > kind.longest:
        said = f"must have {kind.longest} characters at most for the {kind.word} at `{end.field}`"
        raise InvalidField(field, said)
    if not kind.has_company and not CODE.fullmatch(code):
        said = f"must have letters, digits and hyphens only for the {kind.word} at `{end.field}`"
        raise InvalidField(field, said)
    if len(company) > LONGEST_COMPANY:
        raise InvalidField(field, f"must have {LONGEST_COMPANY} characters at most for the ship's company")
    return {"type": kind.type, "direction": end.direction, "code": code, "companyName": company or None}


def _named(kind: Kind) -> str:
    return f"{kind.word} (after `{BEFORE_COMPANY}` its company)" if kind.has_company else kind.word


def spelled(number: str, space: str = "") -> str:
    """`TP 1234` is TP1234. The words of a ship's name stay apart (`space`)."""
    return space.join(number.split()).upper()
