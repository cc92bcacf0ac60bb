"""Every airport with an IATA code: where it lies and which clock it keeps (the `airportsdata` package)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from math import asin, cos, radians, sin, sqrt
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import airportsdata

from apps.suppliers.closed_airports import AIR_BASES, CLOSED

EARTH_RADIUS_KM = 6371.0


class Point(Protocol):
    @property
    def latitude(self) -> float: ...

    @property
    def longitude(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Airport:
    """`country` is ISO 3166 alpha-2; `zone` the IANA name of the local time."""

    code: str
    name: str
    city: str
    country: str
    latitude: float
    longitude: float
    zone: str

    @property
    def clock(self) -> ZoneInfo:
        return ZoneInfo(self.zone)


def find(code: str) -> Airport | None:
    row = _by_code().get(code)
    if row is None:
        return None
    return Airport(code, row["name"], row["city"], row["country"], row["lat"], row["lon"], row["tz"])


def open_to_passengers(code: str) -> Airport | None:
    """The same, but None as well for an airport that closed or never takes passengers: one cannot travel from or to it."""
    return None if code in CLOSED or code in AIR_BASES else find(code)


def codes() -> list[str]:
    return sorted(_by_code())


def of_town(town: str, country: str | None = None) -> list[Airport]:
    """The airports of a town, spelled in any case, by their codes; only those of `country` where one is given."""
    found = [find(code) for code in _by_town().get(town.casefold(), ())]
    return [airport for airport in found if airport and country in (None, airport.country)]


@lru_cache(maxsize=4096)
def nearest(latitude: int, longitude: int) -> Airport:
    """The airport nearest to a point in whole degrees: which country and clock one has there."""
    found = find(_nearest_of(_by_code().values(), latitude, longitude)["iata"])
    assert found is not None
    return found


def zone_at(
    latitude: float | Decimal | None, longitude: float | Decimal | None, country: str | None = None
) -> ZoneInfo | None:
    """The local time of a place: of its country's airport nearest to it, for a zone seldom crosses a border; of the nearest one
    where the country has none, or is not given.

    Without coordinates that of the country; of several zones the one where each time of day comes first, so that nothing is sold
    that may have begun. None where nothing is known.
    """
    if latitude is None or longitude is None:
        return _first_zone(country)
    return _zone_near(round(latitude * 10), round(longitude * 10), country)


@lru_cache(maxsize=4096)
def _zone_near(latitude: int, longitude: int, country: str | None) -> ZoneInfo:
    """In tenths of a degree. Remembered, because the hotels of a search lie close to each other."""
    rows = _by_country().get(country or "") or list(_by_code().values())
    return ZoneInfo(_nearest_of(rows, latitude / 10, longitude / 10)["tz"])


@cache
def _first_zone(country: str | None) -> ZoneInfo | None:
    zones = {row["tz"] for row in _by_country().get(country or "", ())}
    day = datetime(2026, 1, 1)  # noqa: DTZ001 - the clock that is asked for
    return max(
        map(ZoneInfo, sorted(zones)), key=lambda zone: zone.utcoffset(day) or timedelta(), default=None
    )


def _nearest_of(rows: Iterable[dict[str, Any]], latitude: float, longitude: float) -> dict[str, Any]:
    narrowing = cos(radians(latitude)) ** 2  # a degree of longitude is shorter than one of latitude

    def apart(row: dict[str, Any]) -> float:
        across = (row["lon"] - longitude + 180) % 360 - 180
        return float((row["lat"] - latitude) ** 2 + narrowing * across**2)

    return min(rows, key=apart)


def distance_km(origin: Point, destination: Point) -> int:
    latitudes = radians(origin.latitude), radians(destination.latitude)
    across = radians(destination.longitude - origin.longitude)
    half_chord = sin((latitudes[1] - latitudes[0]) / 2) ** 2
    half_chord += cos(latitudes[0]) * cos(latitudes[1]) * sin(across / 2) ** 2
    return round(2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, half_chord))))


@cache
def _by_code() -> dict[str, Any]:
    airports: dict[str, Any] = airportsdata.load("IATA")
    return airports


@cache
def _by_country() -> dict[str, list[dict[str, Any]]]:
    airports: dict[str, list[dict[str, Any]]] = {}
    for row in _by_code().values():
        airports.setdefault(row["country"], []).append(row)
    return airports


@cache
def _by_town() -> dict[str, list[str]]:
    codes: dict[str, list[str]] = {}
    for code, row in sorted(_by_code().items()):
        codes.setdefault(row["city"].casefold(), []).append(code)
    return codes
