"""Duffel's JSON as its documentation has it: errors, places, flights, prices."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from apps.suppliers import airports

Data = dict[str, Any]

STATUSES = {
    "access_token_not_found": 401,
    "expired_access_token": 401,
    "insufficient_permissions": 403,
    "unavailable_feature": 403,
    "not_found": 404,
    "rate_limit_exceeded": 429,
    "airline_internal": 500,
    "internal_server_error": 500,
    "airline_unknown": 502,
    "order_not_created": 502,
    "service_unavailable": 503,
    "gateway_timeout_error": 504,
}
CARRIER = {"iata_code": "ZZ", "name": "Duffel Airways"}


class Refused(Exception):
    """The stub's own way out of a handler."""

    def __init__(self, code: str, *, field: str = "", pointer: str = "") -> None:
        super().__init__(code)
        self.answer = refusal_of(code, field=field, pointer=pointer)


def refusal_of(
    code: str, *, status: int | None = None, field: str = "", pointer: str = ""
) -> tuple[int, Data]:
    """The error answer with this code, under the status that belongs to it."""
    status = status or STATUSES.get(code, 422)
    source = {"field": field or None, "pointer": pointer or None} if field or pointer else None
    error = {
        "type": "invalid_state_error" if status == 422 else "api_error",
        "code": code,
        "title": code.replace("_", " ").capitalize(),
        "message": "Stub: as told",
        "documentation_url": "https://duffel.com/docs",
        "source": source,
    }
    return status, {"errors": [error], "meta": {"status": status, "request_id": "stub-req-1"}}


def money(amount: Decimal) -> str:
    return str(amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def place(code: str) -> Data:
    airport = airports.find(code)
    assert airport is not None
    return {"iata_code": code, "name": airport.name, "time_zone": airport.zone, "type": "airport"}


def flight(
    origin: str, destination: str, day: date, hour: int, minutes: int, number: int, cabin: str
) -> Data:
    """A segment. `duration` and the local times agree, whatever zones it crosses."""
    start, end = airports.find(origin), airports.find(destination)
    assert start is not None
    assert end is not None
    leaves = datetime.combine(day, time(hour, 15), start.clock)
    lands = (leaves.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(end.clock)
    return {
        "id": f"seg_{origin}{number}",
        "origin": place(origin),
        "destination": place(destination),
        "departing_at": leaves.replace(tzinfo=None).isoformat(),
        "arriving_at": lands.replace(tzinfo=None).isoformat(),
        "duration": f"PT{minutes // 60}H{minutes % 60}M",
        "marketing_carrier": CARRIER,
        "marketing_carrier_flight_number": str(number),
        "operating_carrier": CARRIER,
        "passengers": [{"cabin_class": cabin}],
    }


def leg(origin: str, destination: str, day: str, *, hour: int, stops: int, cabin: str) -> Data:
    """A slice without its id: one flight, or two with an hour and a half in Madrid (or in Paris) between."""
    departs = date.fromisoformat(day)
    if not stops:
        segments = [flight(origin, destination, departs, hour, 210, 400 + hour, cabin)]
        whole = 210
    else:
        via = "MAD" if "MAD" not in (origin, destination) else "CDG"
        first = flight(origin, via, departs, hour, 80, 500 + hour, cabin)
        second = flight(via, destination, departs, hour, 120, 600 + hour, cabin)
        waits = _later(second, first, timedelta(minutes=90))
        segments, whole = [first, waits], 80 + 90 + 120
    return {
        "origin": place(origin),
        "destination": place(destination),
        "duration": f"PT{whole // 60}H{whole % 60}M",
        "fare_brand_name": "Basic",
        "segments": segments,
    }


def _later(segment: Data, before: Data, wait: timedelta) -> Data:
    """`segment` as it leaves `wait` after the one before landed."""
    landed = datetime.fromisoformat(before["arriving_at"])
    planned = datetime.fromisoformat(segment["departing_at"])
    moved = landed + wait - planned
    arrives = datetime.fromisoformat(segment["arriving_at"]) + moved
    return {**segment, "departing_at": (planned + moved).isoformat(), "arriving_at": arrives.isoformat()}
