"""Carriers, routes and the timetable."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.flights.suppliers.base import Slice
from apps.flights.suppliers.simulator import catalogue
from apps.flights.suppliers.simulator.catalogue import CARRIERS, Path, paths, region_of
from apps.suppliers import airports
from apps.suppliers.airports import Airport, distance_km
from tests.flights.suppliers.routes import MAIN_ROUTES


def known(code: str) -> Airport:
    airport = airports.find(code)
    assert airport is not None
    return airport


def between(origin: str, destination: str) -> tuple[Path, ...]:
    return paths(known(origin), known(destination))


def test_every_carrier_is_one_and_at_home_where_it_says() -> None:
    assert len({carrier.code for carrier in CARRIERS}) == len(CARRIERS)
    for carrier in CARRIERS:
        homes = {known(hub).country for hub in carrier.hubs}
        assert carrier.country in homes, carrier
        assert carrier.roams or homes <= region_of(carrier.country) | NEIGHBOURLY.get(carrier.code, set()), (
            carrier
        )


NEIGHBOURLY = {"LA": {"PE"}}
"""Network carriers with a hub abroad, outside a region in which carriers of all countries mix."""


@pytest.mark.parametrize(("origin", "destination"), MAIN_ROUTES)
def test_main_routes_have_three_to_six_services_of_their_own(origin: str, destination: str) -> None:
    found = between(origin, destination)
    assert 3 <= len(found) <= 6
    assert len(set(found)) == len(found)
    assert {(path.stops[0].code, path.stops[-1].code) for path in found} == {(origin, destination)}
    for path in found:
        hubs = [stop.code for stop in path.stops[1:-1]]
        assert len(hubs) <= 1
        assert set(hubs) <= set(path.carrier.hubs)


def test_nobody_flies_within_a_city() -> None:
    assert between("LHR", "LGW") == ()
    assert between("LHR", "LHR") == ()


DAY = date(2027, 2, 3)


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


def test_some_long_flights_land_once_on_the_way_under_the_same_number() -> None:
    routes = (("LHR", "SIN"), ("FRA", "GRU"), ("CDG", "NRT"), ("JFK", "NRT"), ("LAX", "SYD"), ("DXB", "JFK"))
    flown = [one for route in routes for leg in flights(*route) for one in leg.segments]
    stopping = [one for one in flown if one.stops]
    assert 0 < len(stopping) < len(flown)
    for one in stopping:
        (stop,) = one.stops
        assert stop.arrival_at is not None
        assert stop.departure_at is not None
        assert one.departure_at < stop.arrival_at < stop.departure_at < one.arrival_at
        assert stop.departure_at - stop.arrival_at == timedelta(minutes=stop.duration_minutes or 0)
        assert stop.arrival_at.utcoffset() == _offset(stop.airport, stop.arrival_at)
        straight = distance_km(known(one.origin), known(one.destination))
        assert one.distance_km is not None
        assert straight <= one.distance_km <= straight * 1.08 + 1
    assert all(one.distance_km and one.distance_km >= 3_000 for one in stopping)


def test_a_flight_has_its_operators_own_number() -> None:
    flown = [one for route in MAIN_ROUTES for leg in flights(*route) for one in leg.segments]
    for one in flown:
        own, operator = one.own_number, one.operating_carrier
        assert own is not None
        assert operator is not None
        assert own.startswith(operator)
        assert (own == one.flight_number) is (operator == one.carrier)
    assert {one.operating_carrier == one.carrier for one in flown} == {True, False}
