from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.flights.suppliers.base import Slice
from apps.flights.suppliers.simulator import catalogue
from apps.suppliers import airports
from apps.suppliers.airports import Airport
from tests.flights.suppliers.routes import MAIN_ROUTES

DAY = date(2027, 2, 3)


def known(code: str) -> Airport:
    airport = airports.find(code)
    assert airport is not None
    return airport


def flights(
    origin: str, destination: str, day: date = DAY, max_connections: int | None = None
) -> list[Slice]:
    return catalogue.slices(known(origin), known(destination), day, max_connections)


@given(st.sampled_from(MAIN_ROUTES), st.dates(date(2026, 1, 1), date(2028, 12, 31)))
@settings(deadline=None)
def test_every_itinerary_holds_together(route: tuple[str, str], day: date) -> None:
    flown = flights(*route, day)
    assert flown
    for flight in flown:
        first, last = flight.segments[0], flight.segments[-1]
        assert (flight.origin, flight.destination) == (first.origin, last.destination) == route
        assert (flight.departure_at, flight.arrival_at) == (first.departure_at, last.arrival_at)
        assert flight.departure_at.date() == day
        assert flight.arrival_at - flight.departure_at == timedelta(minutes=flight.duration_minutes)
        for segment in flight.segments:
            assert segment.arrival_at - segment.departure_at == timedelta(minutes=segment.duration_minutes)
            assert segment.departure_at.utcoffset() == _offset(segment.origin, segment.departure_at)
            assert segment.arrival_at.utcoffset() == _offset(segment.destination, segment.arrival_at)
            assert segment.flight_number.startswith(segment.carrier)
        for here, there in zip(flight.segments, flight.segments[1:], strict=False):
            assert here.destination == there.origin
            assert timedelta(minutes=55) <= there.departure_at - here.arrival_at <= timedelta(minutes=200)


def _offset(airport: str, instant: datetime) -> timedelta | None:
    return instant.astimezone(known(airport).clock).utcoffset()


def test_the_timetable_is_the_same_every_day_by_the_local_clocks() -> None:
    """Across a change of the clocks, too: New York leaves daylight saving time on 7 November 2027."""
    before, after = flights("JFK", "LAX", date(2027, 11, 5)), flights("JFK", "LAX", date(2027, 11, 9))
    assert [f.departure_at.time() for f in before] == [f.departure_at.time() for f in after]
    assert {f.departure_at.utcoffset() for f in before} == {timedelta(hours=-4)}
    assert {f.departure_at.utcoffset() for f in after} == {timedelta(hours=-5)}


def test_arrivals_east_and_west_of_the_date_line() -> None:
    """Tokyo to Honolulu arrives before it left by the calendar; the other way a day is lost."""
    east = min(flights("NRT", "HNL", max_connections=0), key=lambda f: f.departure_at)
    assert east.arrival_at.replace(tzinfo=None) < east.departure_at.replace(tzinfo=None)
    west = min(flights("HNL", "NRT", max_connections=0), key=lambda f: f.departure_at)
    assert west.arrival_at.date() > west.departure_at.date()


@pytest.mark.parametrize(
    ("kilometres", "minutes"), [(400, 60), (800, 95), (2310, 210), (5540, 455), (10_000, 790)]
)
def test_block_time_follows_the_distance(kilometres: int, minutes: int) -> None:
    assert catalogue.block_minutes(kilometres) == minutes


def test_times_end_in_nought_or_five() -> None:
    for route in MAIN_ROUTES:
        assert {flight.departure_at.minute % 5 for flight in flights(*route)} == {0}


def test_connections_are_limited_without_moving_the_other_flights() -> None:
    every, direct = flights("LHR", "JFK"), flights("LHR", "JFK", max_connections=0)
    assert direct == [flight for flight in every if len(flight.segments) == 1]
    assert 2 <= len(direct) < len(every)
    assert flights("LHR", "JFK", max_connections=1) == every


def test_a_local_time_has_the_offset_of_that_place_and_season() -> None:
    lisbon = known("LIS")
    summer = catalogue.local(datetime(2027, 7, 1, 12, tzinfo=UTC), lisbon)
    assert summer.isoformat() == "2027-07-01T13:00:00+01:00"
    winter = catalogue.local(datetime(2027, 1, 1, 12, tzinfo=UTC), lisbon)
    assert winter.isoformat() == "2027-01-01T12:00:00+00:00"
