"""Keeps our list of hotels like the suppliers': the parts of their lists that are due are walked, page by page.

The first walk of a part reads all of it, each later one what changed since the walk before began. Where a walk stands is stored
after each page, so one that dies continues there: what changed meanwhile is asked for by the next walk, and nothing is skipped.
A part is claimed by moving `next_at` ahead; a lease that lapses under a slow worker costs double work and nothing else. The
supplier is asked outside any transaction, and no more than a page is held in memory.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings

from apps.common import clock
from apps.common.environments import Environment
from apps.common.progress import SILENT, Progress
from apps.gateway.periodic import Tally
from apps.hotels.models import PropertyWalk
from apps.hotels.property_store import keep_listed
from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.properties import Listed, ListPage
from apps.hotels.suppliers.registry import hotel_supplier
from apps.keys.scopes import is_sold_to
from apps.places.services import HotelPlace, forget_hotels, keep_hotels
from apps.suppliers.errors import SupplierError
from apps.suppliers.registry import supplier_name

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 240.0
"""How long a run continues to the next page: the next run continues."""
LEASE = timedelta(minutes=10)
"""How long a part stays claimed after each page; also how long one waits whose supplier did not answer."""
MOST_FAILURES = 3
"""Parts without an answer, after which a run leaves the others of a supplier alone."""
OVERLAP = timedelta(minutes=5)
"""How much earlier than the walk before changes are asked for: the clock of a supplier is not ours, nor its index at once."""


@dataclass(slots=True)
class Synced:
    """How many hotels a run has added, changed, taken off, left as they were, and could not read."""

    added: int = 0
    changed: int = 0
    deleted: int = 0
    unchanged: int = 0
    unreadable: int = 0


def sync_properties(
    *, tally: Tally | None = None, seconds: float | None = None, progress: Progress = SILENT
) -> Synced:
    """Walk what is due of the lists of all environments that hotels are sold to. `tally` counts which have answered.

    `progress` counts parts, in each environment as many as are due.
    """
    tally = tally or Tally()
    synced, ends = Synced(), time.monotonic() + (PATIENCE_SECONDS if seconds is None else seconds)
    for environment in Environment.values:
        if not is_sold_to("hotels", environment):
            continue
        try:
            sync_environment(environment, synced, lambda: time.monotonic() < ends, progress)
        except SupplierError as error:
            logger.error("the list of hotels of %s could not be read: %s", environment, error)
            tally.failed(environment, error)
        else:
            tally.answered(environment)
    return synced


def sync_environment(
    environment: str, synced: Synced, has_time: Callable[[], bool], progress: Progress = SILENT
) -> None:
    """Walk the parts that are due, those first that have been due the longest. Raises the first SupplierError at the end."""
    supplier, name = hotel_supplier(environment), supplier_name("hotels", environment)
    failures: list[SupplierError] = []
    due = due_walks(name, supplier.parts())
    progress.expect(len(due))
    for walk in due:
        if not claim(walk):
            continue
        progress.note(f"{environment} {walk.part}".strip())
        try:
            go_on(walk, supplier, environment, synced, has_time)
        except SupplierError as error:
            failures.append(error)  # the claim lapses, and the next run continues
        except KeyboardInterrupt:
            PropertyWalk.objects.filter(pk=walk.pk).update(
                next_at=clock.now()
            )  # so that the next run need not wait
            raise
        progress.advance()
        if not has_time() or len(failures) == MOST_FAILURES:
            break
    if failures:
        raise failures[0]


def due_walks(supplier_name: str, parts: tuple[str, ...]) -> list[PropertyWalk]:
    now = clock.now()
    walks = {walk.part: walk for walk in PropertyWalk.objects.filter(supplier_name=supplier_name)}
    new = [
        PropertyWalk(supplier_name=supplier_name, part=part, next_at=now)
        for part in parts
        if part not in walks
    ]
    if new:
        PropertyWalk.objects.bulk_create(new, ignore_conflicts=True)
        walks = {walk.part: walk for walk in PropertyWalk.objects.filter(supplier_name=supplier_name)}
    due = [walks[part] for part in parts if part in walks and walks[part].next_at <= now]
    return sorted(due, key=lambda walk: (walk.next_at, walk.pk))


def claim(walk: PropertyWalk) -> bool:
    """Whether no other worker was faster."""
    seen, walk.next_at = walk.next_at, clock.now() + LEASE
    return bool(PropertyWalk.objects.filter(pk=walk.pk, next_at=seen).update(next_at=walk.next_at))


def go_on(
    walk: PropertyWalk,
    supplier: HotelSupplier,
    environment: str,
    synced: Synced,
    has_time: Callable[[], bool],
) -> None:
    """Read a part to its end, or until there is no time left. Raises SupplierError; what was read until then is stored.

    A part that was empty when it was read first is read whole again: a supplier may say so by mistake.
    """
    since = None if walk.complete_until is None else walk.complete_until - OVERLAP
    if walk.begun_at is None:
        walk.begun_at, walk.offset = clock.now(), 0
    while True:
        page = supplier.properties(walk.part, since=since, offset=walk.offset)
        keep_page(walk, page, synced)
        keep_places(environment, walk.supplier_name, page.hotels)
        if page.next_offset is None:
            break
        walk.offset = page.next_offset
        goes_on = has_time()
        walk.next_at = clock.now() + (LEASE if goes_on else timedelta(0))
        walk.save(update_fields=["begun_at", "offset", "next_at"])
        if not goes_on:
            return
    if since is not None or walk.offset or page.hotels:
        walk.complete_until = walk.begun_at
    walk.begun_at, walk.offset = None, 0
    walk.next_at = clock.now() + timedelta(seconds=settings.HOTEL_CONTENT_SECONDS)
    walk.save(update_fields=["complete_until", "begun_at", "offset", "next_at"])


def keep_page(walk: PropertyWalk, page: ListPage, synced: Synced) -> None:
    kept = keep_listed(walk.supplier_name, page.hotels)
    synced.added += len(kept.added)
    synced.changed += len(kept.changed)
    synced.deleted += len(kept.deleted)
    synced.unchanged += len(page.hotels) - len(kept.added) - len(kept.changed) - len(kept.deleted)
    synced.unreadable += page.unreadable
    if page.unreadable:
        logger.warning(
            "%s lists %d hotels that cannot be read (%s)", walk.supplier_name, page.unreadable, walk.part
        )


def keep_places(environment: str, supplier_name: str, hotels: tuple[Listed, ...]) -> None:
    """The same hotels in the index of places, all of the page: a walk that died before repeats its last page."""
    on_map = [hotel for hotel in hotels if not hotel.deleted and hotel.latitude is not None]
    keep_hotels(
        environment,
        supplier_name,
        [
            HotelPlace(
                hotel_id=hotel.hotel_id,
                name=hotel.name,
                city=hotel.city,
                country_code=hotel.country,
                latitude=hotel.latitude,
                longitude=hotel.longitude,
                stars=int(hotel.stars or 0),
                review_count=hotel.review_count or 0,
            )
            for hotel in on_map
        ],
    )
    gone = {hotel.hotel_id for hotel in hotels} - {hotel.hotel_id for hotel in on_map}
    if gone:
        forget_hotels(environment, supplier_name, gone)
