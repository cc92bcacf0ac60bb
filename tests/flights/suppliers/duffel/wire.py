"""Duffel's JSON as its documentation has it: errors, places, airlines, flights, prices. Every documented field is there."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from apps.suppliers import airports
from tests.flights.suppliers.duffel.refusals import AIRLINE, API, DOCUMENTED

Data = dict[str, Any]

PICTURES = "https://assets.duffel.com/img/airlines/for-light-background"
CARRIER = {
    "id": "arl_0000Stub0001",
    "iata_code": "ZZ",
    "name": "Duffel Airways",
    "logo_symbol_url": f"{PICTURES}/full-color-logo/ZZ.svg",
    "logo_lockup_url": f"{PICTURES}/full-color-lockup/ZZ.svg",
    "conditions_of_carriage_url": "https://zz.example/conditions-of-carriage",
}
PARTNER = {
    **CARRIER,
    "id": "arl_0000Stub0002",
    "iata_code": None,
    "name": "Stub Regional",
    "logo_lockup_url": None,
}
AIRCRAFT = {"id": "arc_0000Stub0320", "iata_code": "320", "name": "Airbus A320"}
CITIES = {"LON": "LHR", "NYC": "JFK", "PAR": "CDG"}
"""City codes, and the airport that this airline uses there."""
AMENITIES = {
    "wifi": {"available": True, "cost": "paid"},
    "seat": {"pitch": "30", "legroom": "standard", "type": "standard"},
    "power": {"available": False},
}


class Refused(Exception):
    """The stub's own way out of a handler."""

    def __init__(
        self, code: str, *, status: int | None = None, type: str = "", field: str = "", pointer: str = ""
    ) -> None:
        super().__init__(code)
        self.answer = refusal_of(code, status=status, type=type, field=field, pointer=pointer)


def refusal_of(
    code: str,
    *,
    status: int | None = None,
    type: str = "",
    field: str = "",
    pointer: str = "",
    source: Any = None,
) -> tuple[int, Data]:
    """The error answer with this code, under the status and type that belong to it. Errors of airlines name the airline as their
    `source`, in a text; those of a body its field.
    """
    documented = DOCUMENTED.get(code, (422, API))
    status, type = status or documented[0], type or documented[1]
    if field or pointer:
        source = {"field": field or None, "pointer": pointer or None}
    elif source is None and type == AIRLINE:
        source = "iberia"
    error = {
        "type": type,
        "code": code,
        "title": code.replace("_", " ").capitalize(),
        "message": "Stub: as told",
        "documentation_url": "https://duffel.com/docs/api/overview/errors",
        "source": source,
    }
    return status, {"errors": [error], "meta": {"status": status, "request_id": "stub-req-1"}}


def money(amount: Decimal) -> str:
    return str(amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def http_date(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")


def airport_in(code: str) -> str:
    return CITIES.get(code, code)


def ends(origin: str, destination: str) -> Data:
    """Of a slice: a city where one was searched for, as the documentation allows."""
    found: Data = {}
    for name, code in (("origin", origin), ("destination", destination)):
        found |= {name: place(code), f"{name}_type": "city" if code in CITIES else "airport"}
    return found


def place(code: str) -> Data:
    """Of a city its main airport's facts: what theirs has besides is not read."""
    airport = airports.find(airport_in(code))
    assert airport is not None
    where = {"iata_code": code, "iata_country_code": airport.country, "name": airport.city}
    return {
        **where,
        "id": f"arp_{code.lower()}_{airport.country.lower()}",
        "name": airport.name,
        "type": "city" if code in CITIES else "airport",
        "iata_city_code": code,
        "icao_code": f"ST{code[:2]}",
        "city_name": airport.city,
        "city": {**where, "id": f"cit_{code.lower()}_{airport.country.lower()}", "type": "city"},
        "latitude": airport.latitude,
        "longitude": airport.longitude,
        "time_zone": airport.zone,
    }


def flight(
    origin: str,
    destination: str,
    day: date,
    hour: int,
    minutes: int,
    number: int,
    cabin: str,
    seats: list[Data],
) -> Data:
    """A segment. `duration` and the local times agree, whatever zones it crosses. Some are flown by a partner without a code."""
    start, end = airports.find(origin), airports.find(destination)
    assert start is not None
    assert end is not None
    leaves = datetime.combine(day, time(hour, 15), start.clock)
    lands = (leaves.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(end.clock)
    return {
        "id": f"seg_{origin}{number}",
        "origin": place(origin),
        "origin_terminal": "1",
        "destination": place(destination),
        "destination_terminal": None,
        "departing_at": leaves.replace(tzinfo=None).isoformat(),
        "arriving_at": lands.replace(tzinfo=None).isoformat(),
        "duration": f"PT{minutes // 60:02}H{minutes % 60:02}M",
        "distance": f"{airports.distance_km(start, end)}.5",
        "aircraft": AIRCRAFT if number % 2 else None,
        "marketing_carrier": CARRIER,
        "marketing_carrier_flight_number": str(number),
        "operating_carrier": PARTNER if number % 3 == 0 else CARRIER,
        "operating_carrier_flight_number": f"0{number}",
        "stops": [stop("LYS", leaves + timedelta(minutes=80))] if number == NUMBER_WITH_A_STOP else [],
        "passengers": [
            {**seat, "cabin_class": cabin, "cabin": {**seat["cabin"], "name": cabin}} for seat in seats
        ],
    }


NUMBER_WITH_A_STOP = 412


def stop(code: str, lands: datetime) -> Data:
    """Three quarters of an hour, under the same flight number."""
    airport = airports.find(code)
    assert airport is not None
    landed = lands.astimezone(airport.clock).replace(tzinfo=None)
    return {
        "id": f"sto_{code}",
        "airport": place(code),
        "arriving_at": landed.isoformat(),
        "departing_at": (landed + timedelta(minutes=45)).isoformat(),
        "duration": "PT45M",
    }


def seat(passenger: Data, *, checked: int) -> Data:
    """What a passenger of an offer has on a flight."""
    infant = passenger.get("age") is not None and passenger["age"] < 2
    hand = [] if infant else [{"type": "carry_on", "quantity": 1}]
    return {
        "passenger_id": passenger["id"],
        "cabin_class_marketing_name": "Stub Comfort",
        "fare_basis_code": "OXZ0RO",
        "baggages": [*hand, {"type": "checked", "quantity": 0 if infant else checked}],
        "cabin": {"marketing_name": "Stub Comfort", "amenities": AMENITIES},
    }


def leg(
    origin: str,
    destination: str,
    day: str,
    *,
    hour: int,
    stops: int,
    cabin: str,
    seats: list[Data],
    brand: str = "Basic",
) -> Data:
    """A slice without its id: one flight, or two with an hour and a half in Madrid (or in Paris) between."""
    departs = date.fromisoformat(day)
    if not stops:
        segments = [flight(origin, destination, departs, hour, 210, 400 + hour, cabin, seats)]
        whole = 210
    else:
        via = "MAD" if "MAD" not in (origin, destination) else "CDG"
        first = flight(origin, via, departs, hour, 80, 500 + hour, cabin, seats)
        second = flight(via, destination, departs, hour, 120, 600 + hour, cabin, seats)
        segments, whole = [first, _later(second, first, timedelta(minutes=90))], 80 + 90 + 120
    return {
        "origin": place(origin),
        "origin_type": "airport",
        "destination": place(destination),
        "destination_type": "airport",
        "duration": f"PT{whole // 60:02}H{whole % 60:02}M",
        "fare_brand_name": brand,
        "comparison_key": f"{origin}{destination}{hour}==",
        "ngs_shelf": 1,
        "segments": segments,
    }


def _later(segment: Data, before: Data, wait: timedelta) -> Data:
    """`segment` as it leaves `wait` after the one before landed."""
    landed = datetime.fromisoformat(before["arriving_at"])
    planned = datetime.fromisoformat(segment["departing_at"])
    moved = landed + wait - planned
    arrives = datetime.fromisoformat(segment["arriving_at"]) + moved
    return {**segment, "departing_at": (planned + moved).isoformat(), "arriving_at": arrives.isoformat()}
