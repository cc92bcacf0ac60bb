"""Where the ends of a journey lie: airports where they are, points where their coordinates say, the rest close by.

No directory of hotels, stations and ports is needed: a code that comes without coordinates lies near its town's airport, else
near the other end, always at the same spot.
"""

from dataclasses import dataclass
from math import cos, radians, sin
from zoneinfo import ZoneInfo

from apps.suppliers import airports
from apps.suppliers.airports import Airport
from apps.suppliers.simulation import draw
from apps.transfers.suppliers.base import Place

KM_PER_DEGREE = 111.2
NEARBY_KM = {"HOTEL": (4, 38), "STATION": (3, 24), "PORT": (6, 42)}
HOMES = ["LIS", "BCN", "FCO", "LHR", "DXB", "BKK", "SYD", "JFK"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on Earth, in degrees; `country` is ISO 3166 alpha-2, `zone` the IANA name of the local time."""

    latitude: float
    longitude: float
    country: str
    zone: str

    @property
    def clock(self) -> ZoneInfo:
        return ZoneInfo(self.zone)


def locate(start: Place, end: Place) -> tuple[Spot, Spot]:
    """Both ends. The same two places always lie at the same two spots."""
    first, second = _known(start), _known(end)
    anchor = first or second or _of(_home(start))
    return first or _near(anchor, start), second or _near(anchor, end)


def _known(place: Place) -> Spot | None:
    """Where a place lies that says so itself."""
    if place.type == "IATA":
        airport = airports.find(place.code or "")
        return _of(airport) if airport else None
    if place.latitude is not None and place.longitude is not None:
        latitude, longitude = float(place.latitude), float(place.longitude)
        area = airports.nearest(round(latitude), round(longitude))
        return Spot(latitude, longitude, area.country, area.zone)
    towns = airports.of_town(place.town, place.country) if place.town else []
    return _near(_of(towns[0]), place) if towns else None


def _near(anchor: Spot, place: Place) -> Spot:
    """Some kilometres away from `anchor`, in a direction of its own."""
    nearest, furthest = NEARBY_KM.get(place.type, (3, 30))
    words = place.type, place.code
    kilometres = draw(nearest * 10, furthest * 10, "distance", *words) / 10
    bearing = radians(draw(0, 359, "bearing", *words))
    # Near a pole a kilometre is many degrees of longitude; no traveller minds.
    narrowing = max(0.05, cos(radians(anchor.latitude)))
    latitude = anchor.latitude + kilometres * cos(bearing) / KM_PER_DEGREE
    longitude = anchor.longitude + kilometres * sin(bearing) / KM_PER_DEGREE / narrowing
    return Spot(max(-90.0, min(90.0, latitude)), longitude, anchor.country, anchor.zone)


def _home(place: Place) -> Airport:
    """The area of a place that says nothing of where it lies."""
    airport = airports.find(HOMES[draw(0, len(HOMES) - 1, "home", place.type, place.code)])
    assert airport is not None
    return airport


def _of(airport: Airport) -> Spot:
    return Spot(airport.latitude, airport.longitude, airport.country, airport.zone)
