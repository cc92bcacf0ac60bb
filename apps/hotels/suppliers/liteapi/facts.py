"""What LiteAPI tells of a hotel apart from its searches: asked for behind the scenes, kept for days, never waited for.

A search takes what is known and notes which hotels are not; `learn` asks for those, a few at a time. So a hotel that nobody
has found before has no amenities for some seconds, and a search never costs a call for each of its hotels.
"""

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

from apps.common import clock
from apps.hotels.models import HotelFacts
from apps.hotels.suppliers.base import HotelOffer
from apps.hotels.suppliers.liteapi.client import LiteApiClient
from apps.hotels.suppliers.liteapi.errors import NAME, READ, readable
from apps.hotels.suppliers.liteapi.texts import text
from apps.suppliers.errors import Missing, SupplierError

FRESH_FOR = timedelta(days=7)
AT_ONCE = 40
PATIENCE_SECONDS = 5.0
"""Where they answer slowly, the others wait for the next turn: the worker has bookings to see to."""
MOST_AMENITIES = 100
LONGEST_AMENITY = 100


def with_amenities(offers: list[HotelOffer]) -> list[HotelOffer]:
    """The offers with what is known of their hotels; what is unknown, or was learned too long ago, is wanted from now on."""
    ids = {offer.hotel.hotel_id for offer in offers}
    rows = HotelFacts.objects.filter(supplier_name=NAME, hotel_id__in=ids)
    known = {facts.hotel_id: facts for facts in rows}
    want(ids - known.keys(), [facts for facts in known.values() if is_stale(facts)])
    return [_told(offer, known.get(offer.hotel.hotel_id)) for offer in offers]


def _told(offer: HotelOffer, facts: HotelFacts | None) -> HotelOffer:
    if facts is None:
        return offer
    return replace(offer, hotel=replace(offer.hotel, amenities=tuple(facts.amenities)))


def is_stale(facts: HotelFacts) -> bool:
    return facts.learned_at is not None and facts.learned_at <= clock.now() - FRESH_FOR


def want(unknown: set[str], stale: list[HotelFacts]) -> None:
    now = clock.now()
    new = [HotelFacts(supplier_name=NAME, hotel_id=hotel_id, wanted_at=now) for hotel_id in sorted(unknown)]
    HotelFacts.objects.bulk_create(new, ignore_conflicts=True)
    waiting = [facts.pk for facts in stale if facts.wanted_at is None]
    if waiting:
        HotelFacts.objects.filter(pk__in=waiting, wanted_at=None).update(wanted_at=now)


def learn(client: LiteApiClient) -> int:
    """Ask for the hotels that have been wanted the longest; how many were learned. Stops where nobody answers.

    Raises SupplierError where already the first one was not told: the periodic task then counts as failed.
    """
    learned, ends = 0, time.monotonic() + PATIENCE_SECONDS
    wanted = HotelFacts.objects.filter(supplier_name=NAME, wanted_at__isnull=False)
    for facts in wanted.order_by("wanted_at", "pk")[:AT_ONCE]:
        try:
            facts.amenities = amenities_of(client, facts.hotel_id)
        except SupplierError:
            facts.wanted_at = clock.now()  # to the end of the queue: the fault may be this hotel's
            facts.save(update_fields=["wanted_at"])
            if not learned:
                raise
            break
        facts.wanted_at, facts.learned_at = None, clock.now()
        facts.save(update_fields=["amenities", "wanted_at", "learned_at"])
        learned += 1
        if time.monotonic() > ends:
            break
    return learned


def amenities_of(client: LiteApiClient, hotel_id: str) -> list[str]:
    """None for a hotel that they do not describe."""
    try:
        data: Any = client.hotel(hotel_id)
    except Missing:
        return []
    with readable(READ):
        facilities = (data.get("hotelFacilities") or [])[:MOST_AMENITIES]
        return [text(told)[:LONGEST_AMENITY] for told in facilities if isinstance(told, str) and told]
