"""The places that both environments share, from the data that comes with the service."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

from apps.places import cities as data
from apps.places.models import PlaceType
from apps.places.names import fold, keys_of, squash
from apps.suppliers import airports, cities
from apps.suppliers.airports import Airport, zone_at

LANDMARKS = data.FILE.with_name("landmarks.tsv")
LANDMARK_RANK = 8_000
REMOTE_AIRPORT = 3_000
BELOW_ITS_CITY = 1_000
INTERNATIONAL = re.compile(r"\b(?:International|Intl)\b")
# The airports with the most passengers, the busiest first: compiled by hand in November 2026. No free list of all has them.
_BUSIEST = """
    ATL DXB DFW HND LHR DEN IST ORD DEL CAN PVG LAX JFK CDG AMS MAD FRA ICN SIN LAS BKK MCO HKG PEK CLT MIA BOM SZX BCN KUL CGK
    SEA SFO PHX EWR MUC IAH LGW FCO DOH TFU KMG XIY CKG SHA HGH GRU NRT MEX SAW JED BOS MNL MSP TPE YYZ FLL LGA LIS ORY DTW PKX
    BLR DUB SVO PMI SYD PHL SLC VIE ZRH CPH BOG MAN MEL DCA OSL RUH ATH STN KIX BRU ARN SGN CAI MXP AYT YVR DUS HEL BER WAW CUN
    HAN GIG BNE SAN LIM TPA SCL JNB AGP HYD MAA CCU NCE EDI HAM GVA BUD PRG OTP LTN DPS CMN HNL AUH BKI LED CPT AKL EZE AEP VCE
    OPO FUK CTS GMP CJU NGO ALC STR CGN BGY NAP BLQ TLV KEF YUL PTY BVA LYS MRS TLS LCY BHX GLA MDW IAD BWI OAK SJC AUS
"""
BUSIEST = {code: place for place, code in enumerate(_BUSIEST.split())}


@dataclass(frozen=True, slots=True)
class City:
    """`others` are its folded names in other languages that are written in Latin letters, `further` all others, as they are."""

    id: str
    name: str
    country: str
    latitude: float
    longitude: float
    population: int
    others: tuple[str, ...]
    further: tuple[str, ...]
    zone: str
    fame: int
    state: str

    @property
    def rank(self) -> int:
        """Of two cities with one name, the one with names in more languages is meant, unless the other is far larger."""
        return round(1000 * log10(1 + self.population * (1 + self.fame) ** 1.5))


@dataclass(frozen=True, slots=True)
class Known:
    """A place with all that is stored of it. `names` are folded."""

    type: str
    source_id: str
    name: str
    code: str | None
    country: str
    latitude: float
    longitude: float
    zone: str
    rank: int
    names: tuple[str, ...]
    spelled: tuple[str, ...] = ()
    around: tuple[str, ...] = ()

    def keys(self) -> set[str]:
        first, *others = self.names
        return keys_of(first, others, rank=self.rank, spelled=self.spelled, around=self.around)


def everything() -> Iterator[Known]:
    found = read_cities()
    by_name = cities_by_name(found)
    codes = {
        city.id: code
        for code, (name, country) in cities.named_codes().items()
        if (city := by_name.get((fold(name), country)))
    }
    yield from (_city(city, codes.get(city.id)) for city in found)
    yield from (_airport(one, by_name.get((fold(one.city), one.country))) for one in _open_airports())
    yield from landmarks()


def read_cities() -> list[City]:
    """The largest first."""
    further = data.further_names()
    return [
        City(
            number,
            name,
            country,
            float(latitude),
            float(longitude),
            int(population),
            tuple(filter(None, others.split(";"))),
            tuple(further.get(number, ())),
            zone,
            int(fame),
            state,
        )
        for number, name, country, latitude, longitude, population, others, zone, fame, state in data.lines()
    ]


def cities_by_name(found: list[City]) -> dict[tuple[str, str], City]:
    """By any name in Latin letters and country: the largest."""
    by_name: dict[tuple[str, str], City] = {}
    for city in found:
        for name in (fold(city.name), *city.others):
            by_name.setdefault((name, city.country), city)
    return by_name


def _city(city: City, code: str | None) -> Known:
    name = fold(city.name)
    others = [fold(other) for other in (*city.others, *city.further)]
    # "Paris, Texas": states of the US are named with their cities, as those have so many namesakes.
    *state, letters = city.state.split() or [""]
    states = [f"{name} {fold(' '.join(state))}", f"{name} {letters.lower()}"] if state else []
    return Known(
        PlaceType.CITY,
        city.id,
        city.name,
        code,
        city.country,
        city.latitude,
        city.longitude,
        city.zone,
        city.rank,
        _distinct([name, *states, *others]),
        spelled=(code.lower(),) if code else (),
    )


def _open_airports() -> Iterator[Airport]:
    for code in airports.codes():
        if airport := airports.open_to_passengers(code):
            yield airport


def _airport(airport: Airport, city: City | None) -> Known:
    town = fold(airport.city)
    elsewhere = city.others if city else ()
    return Known(
        PlaceType.AIRPORT,
        airport.code,
        airport.name or airport.city,
        airport.code,
        airport.country,
        airport.latitude,
        airport.longitude,
        airport.zone,
        _airport_rank(airport, city),
        _distinct([fold(airport.name), f"{town} airport"]),
        spelled=(airport.code.lower(), *elsewhere),
        around=(town,),
    )


def _airport_rank(airport: Airport, city: City | None) -> int:
    """Nothing free says how many passengers an airport has: the busiest are listed, others are as well known as their city."""
    if airport.code in BUSIEST:
        return 9_000 - 10 * BUSIEST[airport.code]
    rank = max(REMOTE_AIRPORT, city.rank - 2 * BELOW_ITS_CITY if city else 0)
    return rank + BELOW_ITS_CITY if INTERNATIONAL.search(airport.name) else rank


def landmarks() -> Iterator[Known]:
    for line in LANDMARKS.read_text(encoding="utf-8").splitlines()[1:]:
        name, country, latitude, longitude, others = line.split("\t")
        names = _distinct([fold(name), *(fold(other) for other in others.split(";"))])
        zone = str(zone_at(float(latitude), float(longitude), country))
        place = (float(latitude), float(longitude), zone, LANDMARK_RANK)
        yield Known(PlaceType.LANDMARK, squash(names[0].split()), name, None, country, *place, names)


def _distinct(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))
