"""The timetable: which flights leave on a day, at which local times, and when they arrive."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from itertools import pairwise

from apps.flights.suppliers.base import Segment, Slice
from apps.flights.suppliers.simulator import equipment
from apps.flights.suppliers.simulator.routes import Path, paths
from apps.suppliers.airports import Airport, distance_km
from apps.suppliers.simulation import draw

CRUISE_KM_PER_HOUR = 800
FIRST_DEPARTURE = 6 * 60  # minutes after local midnight
LAST_DEPARTURE = 21 * 60
STEP = 5  # every time in a timetable ends in 0 or 5


def slices(origin: Airport, destination: Airport, day: date, max_connections: int | None) -> list[Slice]:
    """The day's itineraries with so many connections at most, in the order of their departure."""
    flights = _timetable(origin, destination, day)
    return [f for f in flights if max_connections is None or len(f.segments) - 1 <= max_connections]


def block_minutes(distance: int) -> int:
    """From gate to gate: cruising, and 30 to 40 minutes of taxi, climb and approach; in steps of five."""
    minutes = distance * 60 // CRUISE_KM_PER_HOUR + 30 + min(10, distance // 500)
    return -(-minutes // STEP) * STEP


def local(instant: datetime, airport: Airport) -> datetime:
    """`instant` as the airport's clocks show it, with the offset that holds there and then."""
    shown = instant.astimezone(airport.clock)
    offset = shown.utcoffset()
    assert offset is not None
    return shown.replace(tzinfo=timezone(offset))


@lru_cache(maxsize=2048)
def _timetable(origin: Airport, destination: Airport, day: date) -> tuple[Slice, ...]:
    """All itineraries of a day; the same every day by the local clocks."""
    services = paths(origin, destination)
    found = [_slice(path, day, _departure(path, n, len(services))) for n, path in enumerate(services)]
    return tuple(sorted(found, key=lambda one: (one.departure_at, one.segments[0].flight_number)))


def _departure(path: Path, position: int, count: int) -> int:
    """Minutes after local midnight: the services of a route are spread over the day."""
    window = (LAST_DEPARTURE - FIRST_DEPARTURE) // count // STEP * STEP
    codes = [stop.code for stop in path.stops]
    within = draw(0, window - STEP, "departure", path.carrier.code, *codes, path.frequency)
    return FIRST_DEPARTURE + position * window + within // STEP * STEP


def _slice(path: Path, day: date, departure: int) -> Slice:
    segments: list[Segment] = []
    origin = path.stops[0]
    leaves = datetime.combine(day, time(departure // 60, departure % 60), origin.clock).astimezone(UTC)
    for here, there in pairwise(path.stops):
        segment = _segment(path, here, there, leaves)
        segments.append(segment)
        leaves = segment.arrival_at + _layover(path, there)
    first, last = segments[0], segments[-1]
    return Slice(
        supplier_id="",
        origin=first.origin,
        destination=last.destination,
        departure_at=first.departure_at,
        arrival_at=last.arrival_at,
        duration_minutes=(last.arrival_at - first.departure_at) // timedelta(minutes=1),
        segments=tuple(segments),
    )


def _segment(path: Path, origin: Airport, destination: Airport, leaves: datetime) -> Segment:
    distance = distance_km(origin, destination)
    minutes = block_minutes(distance)
    flight_number = _flight_number(path, origin, destination)
    operator = equipment.operator(path.carrier, flight_number, distance)
    return Segment(
        origin=origin.code,
        destination=destination.code,
        departure_at=local(leaves, origin),
        arrival_at=local(leaves + timedelta(minutes=minutes), destination),
        carrier=path.carrier.code,
        carrier_name=path.carrier.name,
        flight_number=flight_number,
        duration_minutes=minutes,
        operating_carrier=operator.code,
        operating_carrier_name=operator.name,
        aircraft=equipment.aircraft(operator, flight_number, distance),
        origin_terminal=equipment.terminal(operator, origin),
        destination_terminal=equipment.terminal(operator, destination),
    )


def _layover(path: Path, hub: Airport) -> timedelta:
    steps = draw(11, 40, "layover", path.carrier.code, path.stops[0].code, hub.code, path.frequency)
    return timedelta(minutes=steps * STEP)


def _flight_number(path: Path, origin: Airport, destination: Airport) -> str:
    """The carrier's code and two or three digits, apart for each of a day's services on one path."""
    stops = [stop.code for stop in path.stops]
    number = draw(1, 98, "flight", path.carrier.code, origin.code, destination.code, *stops)
    return f"{path.carrier.code}{number * 10 + path.frequency + 1}"
