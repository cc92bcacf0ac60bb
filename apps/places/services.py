"""Keeps the places: writes new and changed ones, and no others. Each batch is one statement to compare, and one to write."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import islice
from math import floor, log10
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from apps.common.ids import encode
from apps.common.progress import SILENT, Progress
from apps.common.sql import all_rows, rows_changed
from apps.common.validators import COUNTRIES
from apps.places.models import PlaceType
from apps.places.names import fold, hotel_keys_of
from apps.places.sources import Known, everything
from apps.suppliers.airports import zone_at

Item = TypeVar("Item")

BATCH = 1_000
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
ARRAYS = ", ".join(
    f"%s::{'float8' if name in ('latitude', 'longitude') else 'int' if name == 'rank' else 'text'}[]"
    for name in COLUMNS
)
UPSERT = f"""
INSERT INTO places_place ({", ".join(COLUMNS)})
SELECT {", ".join(f"{name}::text[]" if name == "keys" else name for name in COLUMNS)}
  FROM unnest({ARRAYS}) AS fresh ({", ".join(COLUMNS)})
 ORDER BY id
ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = EXCLUDED.{name}" for name in COLUMNS[1:])}
"""  # noqa: S608 - no value in it
"""In one statement, because the service's role may not create a temporary table."""


@dataclass(frozen=True, slots=True)
class HotelPlace:
    """A hotel as its supplier lists it; None and 0 if the supplier does not provide it."""

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


def attributes(value: Row | Known | HotelPlace) -> tuple[Any, ...]:
    return tuple(getattr(value, field.name) for field in fields(value))


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
        digests = {id: digest_of(*attributes(hotel)) for id, hotel in hotels.items()}
        written += write(
            [_hotel_row(id, environment, supplier_name, hotels[id], digests[id]) for id in changed(digests)]
        )
    return written


def load_places(*, progress: Progress = SILENT) -> int:
    """Write what is new or changed of the places that both environments share, and remove what is gone. Returns how many rows."""
    known = {place_id(place.type, place.source_id): place for place in everything()}
    rows = all_rows("SELECT id, digest FROM places_place WHERE environment IS NULL")
    stored: dict[str, str] = {row[0]: row[1] for row in rows}
    gone = sorted(id for id in stored if id not in known)
    removed = rows_changed("DELETE FROM places_place WHERE id = ANY(%s)", [gone]) if gone else 0
    written = keep_places(known, stored, progress)
    if written:
        rows_changed("ANALYZE places_place")
    return removed + written


def keep_places(known: Mapping[str, Known], stored: Mapping[str, str], progress: Progress = SILENT) -> int:
    """Write those of `known`, by id, whose digest is not `stored`. Returns how many."""
    digests = {id: digest_of(*attributes(place)) for id, place in known.items()}
    fresh = [id for id, digest in digests.items() if stored.get(id) != digest]
    progress.expect(len(fresh))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        index = "" if stored else _drop_index(cursor)
        for ids in in_batches(sorted(fresh)):
            write([_known_row(id, known[id], digests[id]) for id in ids])
            progress.advance(len(ids))
        if index:
            progress.note("building the index")
            cursor.execute(index)
    return len(fresh)


def _drop_index(cursor: CursorWrapper) -> str:
    """Before the first load, for the tables' owner: an index that is built afterwards takes half the time. Returns the statement
    that builds it.
    """
    cursor.execute(
        "SELECT pg_get_indexdef(oid), pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'place_keys'::regclass"
    )
    definition, owned = cursor.fetchone()
    if not owned:
        return ""
    cursor.execute("DROP INDEX place_keys")
    cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
    return str(definition)


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


def write(rows: Sequence[Row]) -> int:
    """Insert or update these rows, sorted, so that two writers at once cannot deadlock. Returns how many."""
    if not rows:
        return 0
    return rows_changed(UPSERT, [list(column) for column in zip(*map(attributes, rows), strict=True)])


def _can_be_found(hotel: HotelPlace) -> bool:
    return bool(
        fold(hotel.name)
        and hotel.country_code in COUNTRIES
        and hotel.latitude is not None
        and hotel.longitude is not None
        and -90 <= hotel.latitude <= 90
        and -180 <= hotel.longitude <= 180
    )


def _known_row(id: str, place: Known, digest: str) -> Row:
    return Row(
        id=id,
        type=place.type,
        environment=None,
        supplier_name=None,
        source_id=place.source_id,
        name=place.name,
        code=place.code,
        country_code=place.country,
        latitude=place.latitude,
        longitude=place.longitude,
        time_zone=place.zone,
        rank=place.rank,
        names="\n".join(place.names),
        keys=array(place.keys()),
        digest=digest,
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
        source_id=hotel.hotel_id.replace("\x00", "")[:64],
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
