"""City codes of IATA that stand for several airports: `LON` is all of London's.

A code that is an airport's as well (`BKK`, `SHA`) means the airport alone, as it did before cities were taken.
"""

from functools import cache, lru_cache

import airportsdata

from apps.suppliers import airports
from apps.suppliers.airports import Airport

# What IATA's list of cities with several airports, as `airportsdata` has it, lacks: compiled by hand in November 2026. Sellers
# know London's and Newark's airports as those of LON and NYC, and some cities have a code that no airport has.
ALSO = {
    "BUH": ("OTP", "BBU"),
    "DTT": ("DTW",),
    "LON": ("SEN",),
    "NYC": ("EWR",),
    "PAR": ("BVA",),
    "STO": ("NYO", "VST"),
    "YEA": ("YEG",),
    "YMQ": ("YUL", "YHU"),
}


@lru_cache(maxsize=4096)
def airports_at(code: str) -> tuple[Airport, ...]:
    """The airport with this code, or those of the city that it stands for; none for a code that is neither."""
    airport = airports.find(code)
    return (airport,) if airport is not None else _airports_of(code)


@lru_cache(maxsize=4096)
def open_to_passengers(code: str) -> tuple[Airport, ...]:
    """The same, without airports that closed or never take passengers."""
    return tuple(one for one in airports_at(code) if airports.open_to_passengers(one.code))


@cache
def named_codes() -> dict[str, tuple[str, str]]:
    """The name and the country of each city that has a code of its own; not those whose code is an airport's."""
    listed = airportsdata.load_iata_macs()
    found = {code: (entry["name"], entry["country"]) for code, entry in listed.items()}
    for code, (first, *_) in ALSO.items():
        if airport := airports.find(first):
            found.setdefault(code, (airport.city, airport.country))
    return {code: city for code, city in found.items() if airports.find(code) is None}


@cache
def _airports_of(city: str) -> tuple[Airport, ...]:
    return tuple(
        airport
        for code in _codes_by_city().get(city, ())
        if (airport := airports.open_to_passengers(code)) is not None
    )


@cache
def _codes_by_city() -> dict[str, tuple[str, ...]]:
    listed = {city: tuple(entry["airports"]) for city, entry in airportsdata.load_iata_macs().items()}
    return {city: (*listed.get(city, ()), *ALSO.get(city, ())) for city in {**listed, **ALSO}}
