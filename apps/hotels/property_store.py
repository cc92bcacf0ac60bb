"""How content of hotels is stored: what is listed and described unchanged is not written, and what changes is stamped.

A stamp is no older than its transaction, less `statements.LATE`, as with bookings: `apps.bookings.listing` says why a reader of
`updatedSince` then misses nothing.
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b

import msgspec

from apps.bookings import statements
from apps.common import clock, sql
from apps.common.languages import ENGLISH
from apps.hotels.models import HotelFacts
from apps.hotels.suppliers.base import Hotel
from apps.hotels.suppliers.cities import fold
from apps.hotels.suppliers.properties import NOT_DESCRIBED, Described, Details, Listed
from apps.suppliers.errors import Missing, SupplierError
from apps.suppliers.values import from_json, replaced, to_json

BATCH = 1_000
FRESH_FOR = timedelta(days=7)
AT_ONCE = 40
LONGEST_DESCRIPTION = 800
"""Of a search."""
PATIENCE_SECONDS = 5.0
"""Where they answer slowly, the others wait for the next turn: the worker has bookings to see to."""

# Each by the index, whatever PostgreSQL knows of the table: with `= ANY` it may read all hotels of the supplier each time.
HASHES = """
SELECT stored.* FROM unnest(%(ids)s::text[]) AS listed(hotel_id) CROSS JOIN LATERAL (
    SELECT hotel_id, content_hash, deleted_at IS NOT NULL FROM hotels_property
     WHERE supplier_name = %(supplier)s AND hotel_id = listed.hotel_id LIMIT 1
) AS stored
"""
STAMP = """CASE WHEN pg_current_xact_id() IS NOT NULL
    THEN greatest(%(now)s::timestamptz, clock_timestamp() - %(late)s::interval) END"""
COLUMNS = {
    "hotel_id": "text",
    "name": "text",
    "stars": "numeric",
    "line": "text",
    "city": "text",
    "city_key": "text",
    "zip": "text",
    "country": "text",
    "latitude": "float8",
    "longitude": "float8",
    "chain": "text",
    "image": "text",
    "review_score": "numeric",
    "review_count": "int",
    "content_hash": "bigint",
}
WRITE = f"""
INSERT INTO hotels_property (supplier_name, {", ".join(COLUMNS)}, updated_at)
SELECT %(supplier)s, {", ".join(COLUMNS)}, {STAMP}
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS listed({", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())})
ON CONFLICT (supplier_name, hotel_id) DO UPDATE
   SET ({", ".join(COLUMNS)}, updated_at, deleted_at)
     = ({", ".join(f"excluded.{name}" for name in COLUMNS)}, excluded.updated_at, NULL)
"""  # noqa: S608 - names of columns
DELETE = f"""
UPDATE hotels_property SET deleted_at = %(now)s, updated_at = {STAMP} FROM unnest(%(ids)s::text[]) AS gone(id)
 WHERE supplier_name = %(supplier)s AND hotel_id = gone.id AND deleted_at IS NULL
"""  # noqa: S608
CHANGED = f"""
UPDATE hotels_property SET updated_at = {STAMP}
 WHERE supplier_name = %(supplier)s AND hotel_id = %(hotel)s AND deleted_at IS NULL
"""  # noqa: S608
# Only what was described before is asked for again: no partner has read the other hotels.
WANT_AGAIN = """
UPDATE hotels_hotelfacts SET wanted_at = %(now)s FROM unnest(%(ids)s::text[]) AS changed(id)
 WHERE supplier_name = %(supplier)s AND hotel_id = changed.id AND wanted_at IS NULL AND learned_at IS NOT NULL
"""
Describe = Callable[[str, str], Described]


@dataclass(frozen=True, slots=True)
class Kept:
    """Which hotels a page of a list has added, changed and taken off; the others were stored as they are."""

    added: tuple[Listed, ...] = ()
    changed: tuple[Listed, ...] = ()
    deleted: tuple[str, ...] = ()


def keep_listed(supplier_name: str, hotels: Sequence[Listed]) -> Kept:
    """Store what is new or changed of a list. Several statements for each BATCH: none writes a row that stays as it was."""
    added: list[Listed] = []
    changed: list[Listed] = []
    deleted: list[str] = []
    for start in range(0, len(hotels), BATCH):
        kept = _keep_batch(supplier_name, {one.hotel_id: one for one in hotels[start : start + BATCH]})
        added += kept.added
        changed += kept.changed
        deleted += kept.deleted
    return Kept(tuple(added), tuple(changed), tuple(deleted))


def _keep_batch(supplier_name: str, hotels: dict[str, Listed]) -> Kept:
    known = {
        hotel_id: (content_hash, is_deleted)
        for hotel_id, content_hash, is_deleted in sql.all_rows(
            HASHES, {"supplier": supplier_name, "ids": list(hotels)}
        )
    }
    rows: list[dict[str, object]] = []
    added: list[Listed] = []
    changed: list[Listed] = []
    deleted: list[str] = []
    for hotel in hotels.values():
        before = known.get(hotel.hotel_id)
        if hotel.deleted:
            if before is not None and not before[1]:
                deleted.append(hotel.hotel_id)
            continue
        content_hash = hash_of(hotel)
        if before == (content_hash, False):
            continue
        rows.append(
            {**msgspec.to_builtins(hotel), "city_key": fold(hotel.city), "content_hash": content_hash}
        )
        (added if before is None else changed).append(hotel)
    of_all = {"supplier": supplier_name, "now": clock.now(), "late": statements.LATE}
    if rows:
        sql.rows_changed(WRITE, {**of_all, "rows": msgspec.json.encode(rows).decode()})
    if changed:
        sql.rows_changed(WANT_AGAIN, {**of_all, "ids": [hotel.hotel_id for hotel in changed]})
    if deleted:
        sql.rows_changed(DELETE, {**of_all, "ids": deleted})
    return Kept(tuple(added), tuple(changed), tuple(deleted))


def hash_of(hotel: Listed) -> int:
    """As PostgreSQL's bigint."""
    return int.from_bytes(blake2b(msgspec.json.encode(hotel), digest_size=8).digest(), "big", signed=True)


def keep_described(supplier_name: str, hotel_id: str, language: str, described: Described) -> HotelFacts:
    """Store what was answered. What was described otherwise before counts as a change of the hotel.

    A hotel that no list has had so far is stored as it is described; one that the supplier took off is taken off.
    """
    facts = HotelFacts(
        supplier_name=supplier_name,
        hotel_id=hotel_id,
        language=language,
        amenities=list(described.amenities),
        content=described.content if language == ENGLISH else None,
        details=to_json(described.details),
        learned_at=clock.now(),
    )
    same_hotel = HotelFacts.objects.filter(supplier_name=supplier_name, hotel_id=hotel_id, language=language)
    before = same_hotel.values_list("details", flat=True).first()
    HotelFacts.objects.bulk_create(
        [facts],
        update_conflicts=True,
        unique_fields=["supplier_name", "hotel_id", "language"],
        update_fields=["amenities", "content", "details", "wanted_at", "learned_at"],
    )
    if before is not None and before != facts.details:
        sql.rows_changed(
            CHANGED,
            {"supplier": supplier_name, "hotel": hotel_id, "now": clock.now(), "late": statements.LATE},
        )
    listed = described.listed
    if listed is not None and (
        listed.deleted or not sql.all_rows(HASHES, {"supplier": supplier_name, "ids": [hotel_id]})
    ):
        keep_listed(supplier_name, [listed])
    return facts


def known_details(supplier_name: str, hotel_ids: Collection[str], language: str) -> dict[str, Details]:
    """What is stored of hotels in a language. What is not, or for too long, is wanted from now on."""
    rows = HotelFacts.objects.filter(
        supplier_name=supplier_name, hotel_id__in=list(hotel_ids), language=language
    )
    known = {facts.hotel_id: facts for facts in rows.defer("content", "amenities")}
    want(
        supplier_name,
        set(hotel_ids) - known.keys(),
        [facts for facts in known.values() if is_stale(facts)],
        language=language,
    )
    return {
        hotel_id: from_json(Details, facts.details)
        for hotel_id, facts in known.items()
        if facts.details is not None
    }


def described_in(hotel: Hotel, details: Details) -> Hotel:
    """The hotel as a search shows it, in the words of the details. What these do not say stays as it is."""
    words = " ".join((details.description or "").split())
    if len(words) > LONGEST_DESCRIPTION:
        words = words[: LONGEST_DESCRIPTION - 1].rpartition(" ")[0].rstrip(" ,;.") + "…"
    names = tuple(facility.name for facility in details.facilities)
    return replaced(hotel, description=words or hotel.description, amenities=names or hotel.amenities)


def is_stale(facts: HotelFacts) -> bool:
    """Whether it is to be asked for again, although it was described."""
    return facts.learned_at is not None and facts.learned_at <= clock.now() - FRESH_FOR


def want(
    supplier_name: str, unknown: Collection[str], stale: Sequence[HotelFacts] = (), *, language: str = ENGLISH
) -> None:
    """Have the hotels described behind the scenes: those that nothing is known of, and those known for too long."""
    now = clock.now()
    new = [
        HotelFacts(supplier_name=supplier_name, hotel_id=hotel_id, language=language, wanted_at=now)
        for hotel_id in sorted(unknown)
    ]
    HotelFacts.objects.bulk_create(new, ignore_conflicts=True)
    waiting = [facts.pk for facts in stale if facts.wanted_at is None]
    if waiting:
        HotelFacts.objects.filter(pk__in=waiting, wanted_at=None).update(wanted_at=now)


def learn(supplier_name: str, describe: Describe) -> int:
    """Ask for the hotels that have been wanted the longest. Returns how many were learned. Stops if the supplier does not answer.

    Raises SupplierError when already the first one had no answer: the periodic task then counts as failed.
    """
    learned, ends = 0, time.monotonic() + PATIENCE_SECONDS
    wanted = HotelFacts.objects.filter(supplier_name=supplier_name, wanted_at__isnull=False)
    for facts in wanted.defer("content", "details").order_by("wanted_at", "pk")[:AT_ONCE]:
        try:
            described = describe(facts.hotel_id, facts.language)
        except Missing:
            described = NOT_DESCRIBED
        except SupplierError:
            facts.wanted_at = clock.now()  # to the end of the queue: the fault may be this hotel's
            facts.save(update_fields=["wanted_at"])
            if not learned:
                raise
            break
        keep_described(supplier_name, facts.hotel_id, facts.language, described)
        learned += 1
        if time.monotonic() > ends:
            break
    return learned
