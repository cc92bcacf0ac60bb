"""The world's larger cities: real names, places and sizes."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from math import asin, cos, radians, sin, sqrt

from apps.hotels.suppliers.base import Area, Hotel, StaySearch
from apps.places.cities import fold as fold
from apps.places.cities import lines

SMALLEST = 30_000  # inhabitants; of a country with few cities, its largest few whatever their size
FEWEST = 5
EARTH_RADIUS_KM = 6371.0
KM_PER_DEGREE = 111.0
FEATURED = (
    "Lisbon PT",
    "Barcelona ES",
    "Paris FR",
    "London GB",
    "Rome IT",
    "Dubai AE",
    "New York City US",
    "Tokyo JP",
)


@dataclass(frozen=True, slots=True)
class City:
    """`country` is ISO 3166 alpha-2."""

    id: int
    name: str
    country: str
    latitude: float
    longitude: float
    population: int


@dataclass(frozen=True, slots=True)
class Atlas:
    """All cities, the largest first, and ways to look them up."""

    cities: tuple[City, ...]
    by_id: dict[int, City]
    by_name: dict[str, list[City]]
    by_country: dict[str, list[City]]


def find(name: str, country: str | None = None) -> City | None:
    """The largest city of that name, in whatever language; None when none is known."""
    found = _atlas().by_name.get(fold(name), [])
    return next((city for city in found if country in (None, city.country)), None)


def by_id(city_id: int) -> City | None:
    return _atlas().by_id.get(city_id)


def largest(country: str, count: int) -> list[City]:
    """The largest cities of a country."""
    return _atlas().by_country.get(country, [])[:count]


def well_known(of_the_world: int, of_a_country: int) -> list[City]:
    """The largest cities of the world, and of each country, the featured ones first. Each once."""
    national = (city for several in _atlas().by_country.values() for city in several[:of_a_country])
    return list(dict.fromkeys((*featured(), *_atlas().cities[:of_the_world], *national)))


def featured() -> list[City]:
    """Where those look first who say nothing of where they want to go."""
    found = [find(*entry.rsplit(" ", 1)) for entry in FEATURED]
    return [city for city in found if city is not None]


def is_where(hotel: Hotel, request: StaySearch) -> bool:
    """Whether a hotel that was found by one kind of place also satisfies the others. A search by a city's name alone accepts the
    suburbs that a supplier counts in with the city.
    """
    if request.hotel_ids is None and request.area is None:
        return True
    if request.hotel_ids is not None and hotel.hotel_id not in request.hotel_ids:
        return False
    if request.country not in (None, hotel.country):
        return False
    if request.area is not None and km_between(request.area, hotel) > float(request.area.radius_km):
        return False
    return request.city is None or _same_city(request.city, hotel)


def km_between(area: Area, hotel: Hotel) -> float:
    return distance_km(
        float(area.latitude), float(area.longitude), float(hotel.latitude), float(hotel.longitude)
    )


def _same_city(name: str, hotel: Hotel) -> bool:
    """By name, in whatever language."""
    if fold(name) == fold(hotel.city):
        return True
    meant = find(name, hotel.country)
    return meant is not None and meant == find(hotel.city, hotel.country)


def near(latitude: float, longitude: float, kilometres: float) -> list[City]:
    """The cities within a distance, the nearest first."""
    band = kilometres / KM_PER_DEGREE
    candidates = [city for city in _atlas().cities if abs(city.latitude - latitude) <= band]
    distances = [
        (distance_km(latitude, longitude, city.latitude, city.longitude), city) for city in candidates
    ]
    within = [pair for pair in distances if pair[0] <= kilometres]
    return [city for _, city in sorted(within, key=lambda pair: (pair[0], pair[1].id))]


def distance_km(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """The great-circle distance, by the haversine formula."""
    here, there = radians(latitude), radians(other_latitude)
    half_chord = sin((there - here) / 2) ** 2
    half_chord += cos(here) * cos(there) * sin(radians(other_longitude - longitude) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, half_chord)))


@cache
def _atlas() -> Atlas:
    cities = []
    by_name: defaultdict[str, list[City]] = defaultdict(list)
    by_country: defaultdict[str, list[City]] = defaultdict(list)
    for number, name, country, latitude, longitude, population, others, *_ in lines():
        if int(population) < SMALLEST and len(by_country[country]) >= FEWEST:
            continue
        city = City(int(number), name, country, float(latitude), float(longitude), int(population))
        cities.append(city)
        by_country[country].append(city)
        for known_as in (fold(name), *filter(None, others.split(";"))):
            by_name[known_as].append(city)
    return Atlas(tuple(cities), {city.id: city for city in cities}, dict(by_name), dict(by_country))
