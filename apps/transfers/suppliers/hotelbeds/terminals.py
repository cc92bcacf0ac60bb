"""The flight, train or ship at each end of a journey that is an airport, a station or a port: what the driver meets or catches.

The API has one field for it, `flightNumber`. Of two such ends it names both, that of `from` first: `TP1363; AVE3082`. A ship
comes with its company: `SEASIDE, MSC Cruises`.
"""

from dataclasses import dataclass
from typing import Any

from apps.suppliers.errors import InvalidField
from apps.transfers.suppliers.base import TransferSearch

BETWEEN_ENDS, BEFORE_COMPANY = ";", ","
LONGEST_CODE = 7
"""Documented for flights. Nothing is said of trains and ships, and the field is the same one."""
LONGEST_COMPANY = 50


@dataclass(frozen=True, slots=True)
class Kind:
    """What goes from a kind of terminal: in their word, and in a word for people."""

    type: str
    word: str
    has_company: bool = False


KINDS = {
    "IATA": Kind("FLIGHT", "flight"),
    "STATION": Kind("TRAIN", "train"),
    "PORT": Kind("CRUISE", "ship", True),
}


@dataclass(frozen=True, slots=True)
class Terminal:
    """An end of the journey. `field` is its name in a search of ours."""

    kind: Kind
    direction: str
    field: str


def terminals(search: TransferSearch) -> list[Terminal]:
    """Where the journey begins they speak of an arrival, where it ends of a departure."""
    ends = ((search.start, "ARRIVAL", "from"), (search.end, "DEPARTURE", "to"))
    return [Terminal(KINDS[place.type], way, field) for place, way, field in ends if place.type in KINDS]


def transfer_details(search: TransferSearch, told: str | None) -> list[dict[str, Any]]:
    """An entry for each terminal, as an order wants them. Raises InvalidField for what is missing or too long."""
    ends = terminals(search)
    parts = [part.strip() for part in told.split(BETWEEN_ENDS)] if told is not None else []
    if len(parts) != len(ends) and ends:
        raise InvalidField("flightNumber", wanted(ends))
    return [_entry(end, part, ends) for end, part in zip(ends, parts, strict=bool(ends))]


def wanted(ends: list[Terminal]) -> str:
    """What the field has to say of this journey."""
    said = " and ".join(f"the {_named(end.kind)} at `{end.field}`" for end in ends)
    between = f", with `{BETWEEN_ENDS}` in between" if len(ends) > 1 else ""
    return f"must name {said}{between}"


def _entry(end: Terminal, part: str, ends: list[Terminal]) -> dict[str, Any]:
    code, _, company = part.partition(BEFORE_COMPANY) if end.kind.has_company else (part, "", "")
    code, company = spelled(code), company.strip()
    if not code or (end.kind.has_company and not company):
        raise InvalidField("flightNumber", wanted(ends))
    if len(code) > LONGEST_CODE:
        raise InvalidField(
            "flightNumber",
            f"must have {LONGEST_CODE} characters at most for the {end.kind.word} at `{end.field}`",
        )
    if len(company) > LONGEST_COMPANY:
        raise InvalidField(
            "flightNumber", f"must have {LONGEST_COMPANY} characters at most for the ship's company"
        )
    return {"type": end.kind.type, "direction": end.direction, "code": code, "companyName": company or None}


def _named(kind: Kind) -> str:
    return f"{kind.word}, `{BEFORE_COMPANY}` and its company" if kind.has_company else kind.word


def spelled(number: str) -> str:
    """`TP 1234` is TP1234."""
    return "".join(number.split()).upper()
