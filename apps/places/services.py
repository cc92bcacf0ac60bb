"""Keeps the places: writes new and changed ones, and no others. Each batch is one statement to compare, and one to write."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from hashlib import blake2b
from itertools import islice
from math import floor, log10
from typing import TypeVar

from django.db import connection, transaction

from apps.common.ids import encode
from apps.common.sql import all_rows, rows_changed
from apps.common.validators import COUNTRIES
from apps.places.models import PlaceType
from apps.places.names import fold, hotel_keys_of
from apps.suppliers.airports import zone_at

Item = TypeVar("Item")

BATCH = 5_000
VERSION = "1"
"""Of how names become keys. With another one, all rows are written again."""
COLUMNS = (
    "id",
    "type",
    "environment",
    "supplier_name",
    "source_id",
    "name",
    "code",
    "country_code",
    "latitude",
    "longitude",
    "time_zone",
    "rank",
    "names",
    "keys",
    "digest",
)
LISTED = ", ".join(COLUMNS)
UPSERT = f"""
INSERT INTO places_place ({LISTED}) SELECT {LISTED} FROM places_fresh ORDER BY id
ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = EXCLUDED.{name}" for name in COLUMNS[1:])}
"""  # noqa: S608 - no value in it


@dataclass(frozen=True, slots=True)
class HotelPlace:
    """A hotel as its supplier lists it; None and 0 where the supplier does not say."""

    hotel_id: str
    name: str
    city: str
    country_code: str
    latitude: float | None
    longitude: float | None
    stars: int = 0
    review_count: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row of `Place`, in the order of COLUMNS. `keys` as PostgreSQL writes an array."""

    id: str
    type: str
    environment: str | None
    supplier_name: str | None
    source_id: str
    name: str
    code: str | None
    country_code: str
    latitude: float
    longitude: float
    time_zone: str
    rank: int
    names: str
    keys: str
    digest: str


def place_id(type: str, *source: str) -> str:
    """`plc_` and 26 characters, computed from what the place is: every load gives the same id."""
    digest = blake2b("\x1f".join((type, *source)).encode(), digest_size=16).digest()
    return f"plc_{encode(int.from_bytes(digest, 'big'), 26)}"


def hotel_place_id(environment: str, supplier_name: str, hotel_id: str) -> str:
    return place_id(PlaceType.HOTEL, environment, supplier_name, hotel_id)


def digest_of(*facts: object) -> str:
    return blake2b("\x1f".join(map(str, (VERSION, *facts))).encode(), digest_size=8).hexdigest()


def array(keys: Iterable[str]) -> str:
    """A key is a sign, letters and digits: nothing that an array's text would quote."""
    return "{" + ",".join(sorted(keys)) + "}"


def cell_of(latitude: float, longitude: float) -> str:
    """The square degree in which a place lies."""
    return f"{floor(latitude)}/{floor(longitude)}"


def keep_hotels(environment: str, supplier_name: str, rows: Iterable[HotelPlace]) -> int:
    """Write the hotels that are new or changed. Returns how many. Those that are not in `rows` stay.

    A hotel needs a name with a letter, a country and a point on the map; others are left out.
    """
    written = 0
    for batch in in_batches(filter(_can_be_found, rows)):
        hotels = {hotel_place_id(environment, supplier_name, hotel.hotel_id): hotel for hotel in batch}
        digests = {id: digest_of(environment, *astuple(hotel)) for id, hotel in hotels.items()}
        written += write(
            _hotel_row(id, environment, supplier_name, hotels[id], digests[id]) for id in changed(digests)
        )
    return written


def forget_hotels(environment: str, supplier_name: str, hotel_ids: Iterable[str]) -> int:
    """Remove hotels that are no longer there. Returns how many."""
    return sum(
        rows_changed(
            "DELETE FROM places_place WHERE id = ANY(%s)",
            [sorted(hotel_place_id(environment, supplier_name, hotel_id) for hotel_id in batch)],
        )
        for batch in in_batches(hotel_ids)
    )


def in_batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield batch


def changed(digests: dict[str, str]) -> list[str]:
    """The ids of those places that are not stored with the same digest."""
    rows = all_rows("SELECT id, digest FROM places_place WHERE id = ANY(%s)", [list(digests)])
    stored: dict[str, str] = {row[0]: row[1] for row in rows}
    return [id for id, digest in digests.items() if stored.get(id) != digest]


def write(rows: Iterable[Row]) -> int:
    """Insert or update these rows, sorted, so that two writers at once cannot deadlock. Returns how many."""
    lines = [astuple(row) for row in rows]
    if not lines:
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE places_fresh (LIKE places_place) ON COMMIT DROP")
        with cursor.copy(f"COPY places_fresh ({LISTED}) FROM STDIN") as copy:
            for line in lines:
                copy.write_row(line)
        cursor.execute(UPSERT)
        cursor.execute("DROP TABLE places_fresh")
    return len(lines)


def _can_be_found(hotel: HotelPlace) -> bool:
    return bool(
        fold(hotel.name)
        and hotel.country_code in COUNTRIES
        and hotel.latitude is not None
        and hotel.longitude is not None
        and -90 <= hotel.latitude <= 90
        and -180 <= hotel.longitude <= 180
    )


def _hotel_row(id: str, environment: str, supplier_name: str, hotel: HotelPlace, digest: str) -> Row:
    assert hotel.latitude is not None
    assert hotel.longitude is not None
    name = fold(hotel.name)
    keys = hotel_keys_of(
        name,
        city=fold(hotel.city),
        country=hotel.country_code,
        environment=environment,
        cell=cell_of(hotel.latitude, hotel.longitude),
    )
    return Row(
        id=id,
        type=PlaceType.HOTEL,
        environment=environment,
        supplier_name=supplier_name,
        source_id=hotel.hotel_id,
        name=hotel.name.replace("\x00", "")[:255],
        code=None,
        country_code=hotel.country_code,
        latitude=hotel.latitude,
        longitude=hotel.longitude,
        time_zone=str(zone_at(hotel.latitude, hotel.longitude, hotel.country_code)),
        rank=hotel_rank(hotel.stars, hotel.review_count),
        names="\n".join((name, f"{name} {fold(hotel.city)}")),
        keys=array(keys),
        digest=digest,
    )


def hotel_rank(stars: int, review_count: int) -> int:
    """Below every city that is known at all: 5 stars and 10,000 reviews make 4,500."""
    return round(500 * max(0, min(stars, 5)) + 500 * min(log10(1 + max(0, review_count)), 6))
