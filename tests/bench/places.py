"""How long a search for places takes among 20,000 places, and among 200,000; run by hand, for some minutes:

python -m pytest tests/bench/places.py -q -s -n 0
"""

import random
import time
from statistics import quantiles

import pytest
from django.db import connection

from apps.common.sql import all_rows, rows_changed
from apps.places.models import PlaceType
from apps.places.queries import Sought
from apps.places.selectors import find_places
from apps.places.services import HotelPlace, keep_hotels, keep_places, place_id
from apps.places.sources import everything, read_cities
from tests.places.test_search_quality import MEANT

_FIRST = "Grand Royal Park Palace Plaza Garden Central Riverside Ocean Golden Imperial Sunset Harbour Old Town Villa"
_CHAINS = (
    "Hilton Marriott Ibis Novotel Mercure Radisson Hyatt Sheraton Holiday Best NH Melia Accor Scandic Moxy"
)
_LAST = "Hotel,Inn,Suites,Resort & Spa,Apartments,Hostel,Hotel & Suites,Lodge,Boutique Hotel"
FIRST, CHAINS, LAST = _FIRST.split(), _CHAINS.split(), _LAST.split(",")
ROUNDS = 3
TYPES = tuple(PlaceType.values)


def hotels(first: int, count: int) -> list[HotelPlace]:
    """In large cities more than in small ones; many names alike, as in the world."""
    chance = random.Random(first)
    cities = read_cities()
    weights = [city.population for city in cities]
    found = []
    for number, city in enumerate(chance.choices(cities, weights, k=count), first):
        words = [chance.choice(FIRST + CHAINS) for _ in range(chance.randint(1, 2))]
        if chance.random() < 0.4:
            words.append(city.name)
        words.append(chance.choice(LAST))
        at = city.latitude + chance.gauss(0, 0.05), city.longitude + chance.gauss(0, 0.05)
        found.append(
            HotelPlace(
                f"b{number}", " ".join(words), city.name, city.country, *at, number % 6, number % 9_000
            )
        )
    return found


def asked() -> list[Sought]:
    """The hundred queries, hotels by name, and both near a point."""
    queries = [
        *MEANT,
        "hilton paris",
        "grand plaza hotel",
        "holiday",
        "royal garden inn london",
        "hotel",
        "p",
        "san",
    ]
    anywhere = [Sought(query, TYPES, "live", 10) for query in queries]
    near = [Sought(query, TYPES, "live", 10, near=(48.86, 2.35)) for query in queries[::4]]
    return [
        *anywhere,
        *near,
        *(Sought("", TYPES, "live", 10, near=(city, 2.35)) for city in (48.86, 51.5, 0.0)),
    ]


def measure(title: str) -> float:
    rows_changed("ANALYZE places_place")
    (sizes,) = all_rows(
        "SELECT count(*), pg_size_pretty(pg_table_size('places_place')), pg_size_pretty(pg_relation_size('place_keys')),"
        " pg_size_pretty(pg_indexes_size('places_place')) FROM places_place"
    )
    took: list[tuple[float, str]] = []
    for turn in range(ROUNDS + 1):
        for sought in asked():
            began = time.perf_counter()
            find_places(sought)
            if turn:  # the first warms PostgreSQL's cache
                took.append(((time.perf_counter() - began) * 1000, f"{sought.query} {sought.near or ''}"))
    cuts = quantiles([milliseconds for milliseconds, _ in took], n=100)
    print(f"\n{title}: {sizes[0]} places; table {sizes[1]}, keys {sizes[2]}, all indexes {sizes[3]}")
    print(f"p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, p99 {cuts[98]:.1f} ms; slowest {sorted(took)[-3:]}")
    return cuts[94]


@pytest.mark.django_db
def test_ten_times_the_places_cost_about_the_same() -> None:
    shared = {place_id(place.type, place.source_id): place for place in everything()}
    a_third = dict(list(shared.items())[::3])
    others = {id: place for id, place in shared.items() if id not in a_third}
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET maintenance_work_mem = '512MB'")
        began = time.perf_counter()
        keep_places(a_third, {})
        keep_hotels("live", "bench", hotels(0, 20_000 - len(a_third)))
        print(f"\nloaded in {time.perf_counter() - began:.0f} s")
        few = measure("few")
        # Nothing is updated: an index that is built in the same transaction would not be used for such rows.
        cursor.execute("DROP INDEX place_keys")
        began = time.perf_counter()
        keep_places(others, {"": "what is there"})
        keep_hotels("live", "bench", hotels(20_000, 200_000 - len(shared) - (20_000 - len(a_third))))
        print(f"written in {time.perf_counter() - began:.0f} s")
        began = time.perf_counter()
        cursor.execute("CREATE INDEX place_keys ON places_place USING gin (keys) WITH (fastupdate = off)")
        print(f"indexed in {time.perf_counter() - began:.0f} s")
        many = measure("many")
    print(f"p95 at 200,000 over p95 at 20,000: {many / few:.2f}")
