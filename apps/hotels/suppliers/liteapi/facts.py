"""What LiteAPI tells of a hotel apart from its searches: asked for behind the scenes, kept for days, never waited for.

A search takes what is known and notes which hotels are not; `learn` asks for those, a few at a time. So a hotel that nobody
has found before has no amenities and no description for some seconds, and a search never costs a call for each of its hotels.
"""

import time
from datetime import timedelta
from typing import Any

from apps.common import clock
from apps.hotels.models import HotelFacts
from apps.hotels.suppliers.base import Hotel, HotelOffer, Rate
from apps.hotels.suppliers.liteapi.client import LiteApiClient
from apps.hotels.suppliers.liteapi.descriptions import Content, DescribedRoom, amenities_of, content_of
from apps.hotels.suppliers.liteapi.errors import NAME
from apps.hotels.suppliers.liteapi.offers import ROOM_IDS
from apps.hotels.suppliers.shown import RoomKind, images_text, kinds_in, rooms_text
from apps.suppliers.errors import Missing, SupplierError, Unavailable
from apps.suppliers.values import from_json, replaced, to_json

FRESH_FOR = timedelta(days=7)
AT_ONCE = 40
PATIENCE_SECONDS = 5.0
"""Where they answer slowly, the others wait for the next turn: the worker has bookings to see to."""


def with_facts(offers: list[HotelOffer]) -> list[HotelOffer]:
    """The offers with what is known of their hotels; what is unknown, or was learned too long ago, is wanted from now on."""
    ids = {offer.hotel.hotel_id for offer in offers}
    rows = HotelFacts.objects.filter(supplier_name=NAME, hotel_id__in=ids)
    known = {facts.hotel_id: facts for facts in rows}
    want(ids - known.keys(), [facts for facts in known.values() if is_stale(facts)])
    return [_told(offer, known.get(offer.hotel.hotel_id)) for offer in offers]


def _told(offer: HotelOffer, facts: HotelFacts | None) -> HotelOffer:
    if facts is None:
        return offer
    hotel = replaced(offer.hotel, amenities=tuple(facts.amenities))
    if facts.content is None:
        return HotelOffer(hotel, offer.rates)
    content = from_json(Content, facts.content)
    by_id = {room.room_id: room for room in reversed(content.rooms)}
    by_name = {room.name.casefold(): room for room in reversed(content.rooms)}
    return HotelOffer(
        _described(hotel, content), tuple([_completed(rate, by_id, by_name) for rate in offer.rates])
    )


def _described(hotel: Hotel, content: Content) -> Hotel:
    """What the search itself tells goes first where it may be newer."""
    return replaced(
        hotel,
        description=content.description,
        images=images_text(content.images) if content.images else hotel.images,
        review_score=hotel.review_score or content.review_score,
        check_in_from=content.check_in_from,
        check_out_until=content.check_out_until,
    )


def _completed(rate: Rate, by_id: dict[str, DescribedRoom], by_name: dict[str, DescribedRoom]) -> Rate:
    """With the beds and the size of each room: of the one that the rate names, else of the one of the same name."""
    ids = rate.supplier_data.get(ROOM_IDS, "").split(",")
    rooms = []
    for position, kind in enumerate(kinds_in(rate.rooms)):
        found = by_id.get(ids[position]) if position < len(ids) else None
        found = found or by_name.get(kind.name.casefold())
        rooms.append(
            kind
            if found is None
            else RoomKind(kind.name, found.beds, kind.max_occupancy or found.max_occupancy, found.size_m2)
        )
    return replaced(rate, rooms=rooms_text(rooms))


def is_stale(facts: HotelFacts) -> bool:
    """A row of the previous release was learned without `content`."""
    if facts.learned_at is None:
        return False
    return facts.content is None or facts.learned_at <= clock.now() - FRESH_FOR


def want(unknown: set[str], stale: list[HotelFacts]) -> None:
    now = clock.now()
    new = [HotelFacts(supplier_name=NAME, hotel_id=hotel_id, wanted_at=now) for hotel_id in sorted(unknown)]
    HotelFacts.objects.bulk_create(new, ignore_conflicts=True)
    waiting = [facts.pk for facts in stale if facts.wanted_at is None]
    if waiting:
        HotelFacts.objects.filter(pk__in=waiting, wanted_at=None).update(wanted_at=now)


def learn(client: LiteApiClient) -> int:
    """Ask for the hotels that have been wanted the longest. Returns how many were learned. Stops where nobody answers.

    Raises SupplierError where already the first one was not told: the periodic task then counts as failed.
    """
    learned, ends = 0, time.monotonic() + PATIENCE_SECONDS
    wanted = HotelFacts.objects.filter(supplier_name=NAME, wanted_at__isnull=False)
    for facts in wanted.order_by("wanted_at", "pk")[:AT_ONCE]:
        try:
            data = described(client, facts.hotel_id)
        except SupplierError:
            facts.wanted_at = clock.now()  # to the end of the queue: the fault may be this hotel's
            facts.save(update_fields=["wanted_at"])
            if not learned:
                raise
            break
        facts.amenities, facts.content = amenities_of(data), to_json(content_of(data))
        facts.wanted_at, facts.learned_at = None, clock.now()
        facts.save(update_fields=["amenities", "content", "wanted_at", "learned_at"])
        learned += 1
        if time.monotonic() > ends:
            break
    return learned


def described(client: LiteApiClient, hotel_id: str) -> dict[str, Any]:
    """Their description of the hotel; an empty one for a hotel that they do not describe."""
    try:
        data = client.hotel(hotel_id)
    except Missing:
        return {}
    if not isinstance(data, dict):
        raise Unavailable("LiteAPI described a hotel in a form that is not known")
    return data
