"""What Duffel tells of an offer or an order that is only shown. Whatever of it is missing or odd is None: it keeps nothing from
being sold.
"""

from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal, DecimalException
from typing import Any

from apps.flights.suppliers.base import Baggage

Data = dict[str, Any]
CABIN, CHECKED = "carry_on", "checked"
MOST_KILOGRAMS, MOST_PIECES = 10**9, 100
"""What is more is no amount of anything."""


def text(told: Any) -> str | None:
    return told.strip() or None if isinstance(told, str) else None


def whole_kilograms(told: Any) -> int | None:
    """Rounded half up; None for what weighs nothing that could be weighed."""
    try:
        kilograms = int(Decimal(str(told)).quantize(Decimal(1), ROUND_HALF_UP))
    except (DecimalException, ValueError):
        return None
    return kilograms if 0 <= kilograms < MOST_KILOGRAMS else None


def operator(told: Any) -> tuple[str, str] | tuple[None, None]:
    """The code and the name of the airline that flies; the code is "" where it has none."""
    if not isinstance(told, dict):
        return None, None
    code, name = text(told.get("iata_code")), text(told.get("name"))
    return (code or "", name or code or "") if code or name else (None, None)


def aircraft(told: Any) -> str | None:
    return text(told.get("name")) if isinstance(told, dict) else None


def fare_brand(slices: list[Data]) -> str | None:
    """The brand of the fare; of legs under a brand each, all of them in the order of the legs. None unless every leg has one."""
    told = [text(part.get("fare_brand_name")) for part in slices]
    brands = [brand for brand in told if brand]
    return " / ".join(dict.fromkeys(brands)) if brands and len(brands) == len(told) else None


def baggage(slices: list[Data], kinds: Mapping[str, str]) -> tuple[Baggage, ...]:
    """What each passenger of a kind may take on every flight: the least that is told of any. `kinds`: by their passenger's id."""
    allowed: dict[str, list[Any]] = {kind: [] for kind in kinds.values()}
    for part in slices:
        for flight in part["segments"]:
            seats = dict(_seats(flight))
            for passenger, kind in kinds.items():
                allowed[kind].append(seats.get(passenger))
    return tuple(Baggage(kind, _least(told, CABIN), _least(told, CHECKED)) for kind, told in allowed.items())


def _seats(flight: Data) -> Iterator[tuple[str, Any]]:
    """Passenger and baggages of those who fly."""
    seats = flight.get("passengers")
    for seat in seats if isinstance(seats, list) else ():
        if isinstance(seat, dict) and isinstance(seat.get("passenger_id"), str):
            yield seat["passenger_id"], seat.get("baggages")


def _least(told: list[Any], kind: str) -> int | None:
    pieces = [_pieces(one, kind) for one in told]
    known = [number for number in pieces if number is not None]
    return min(known) if known and len(known) == len(pieces) else None


def _pieces(baggages: Any, kind: str) -> int | None:
    """None where nothing is listed, which is no word about it; a kind that is not listed beside another is not included."""
    if not isinstance(baggages, list) or not baggages:
        return None
    found = [one.get("quantity") for one in baggages if isinstance(one, dict) and one.get("type") == kind]
    known = [number for number in found if type(number) is int and 0 <= number < MOST_PIECES]
    return sum(known) if len(known) == len(found) else None
