"""What searches show of LiteAPI's description of a hotel (`GET /data/hotel`): stored for days, never waited for.

A search takes what is known and notes which hotels are not; `property_store.learn` asks for those, a few at a time. So a hotel
that no search has found before has no amenities and no description for some seconds, and a search never costs a call for each of
its hotels. Nothing here is needed to sell a room: a field that is missing, or not as documented, is left out.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from apps.common.languages import ENGLISH
from apps.hotels.models import HotelFacts
from apps.hotels.property_store import described_in, is_stale, want
from apps.hotels.suppliers.base import (
    Hotel,
    HotelOffer,
    Image,
    Rate,
    RoomKind,
    kinds_in,
    text_of,
)
from apps.hotels.suppliers.liteapi.client import NAME, UNREADABLE, number, text
from apps.hotels.suppliers.properties import Details, RoomDetails
from apps.suppliers.values import from_json, replaced

MOST_AMENITIES, LONGEST_AMENITY = 100, 100
MOST_IMAGES, LONGEST_URL, LONGEST_CAPTION = 5, 500, 100
LONGEST_DESCRIPTION = 800
MOST_ROOMS, LONGEST_NAME, MOST_BEDS = 60, 150, 6
LARGEST_ROOM_M2, MOST_SLEEPERS = 2_000, 50
HIGHEST_SCORE = 10
SQUARE_FEET_OF_A_M2 = Decimal("10.7639")
MARKUP, SPACES = re.compile(r"<[^<>]*>"), re.compile(r"\s+")
ADDRESS = re.compile(r"https://[!-~]+")
HOUR = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap]m)?", re.IGNORECASE)
ROOM_IDS = "room_ids"
"""In a rate's `supplier_data`: which of the hotel's rooms it is for, one for each room of the stay."""


@dataclass(frozen=True, slots=True)
class DescribedRoom:
    """A kind of room in the hotel. `room_id` is what `mappedRoomId` of a rate names."""

    room_id: str
    name: str
    beds: str | None
    max_occupancy: int | None
    size_m2: int | None


@dataclass(frozen=True, slots=True)
class Content:
    """Times are `HH:MM` at the hotel. Amenities have a column of their own."""

    description: str | None = None
    images: tuple[Image, ...] = ()
    review_score: Decimal | None = None
    check_in_from: str | None = None
    check_out_until: str | None = None
    rooms: tuple[DescribedRoom, ...] = ()


def content_of(data: dict[str, Any]) -> Content:
    times = data.get("checkinCheckoutTimes")
    times = times if isinstance(times, dict) else {}
    begins = [times.get(name) for name in ("checkinStart", "checkin_start", "checkin")]
    return Content(
        description=plain(data.get("hotelDescription")),
        images=images_of(data),
        review_score=score_of(data.get("rating")),
        check_in_from=next(filter(None, map(hour_of, begins)), None),
        check_out_until=hour_of(times.get("checkout")),
        rooms=tuple(_rooms(data.get("rooms"))),
    )


def amenities_of(data: dict[str, Any]) -> list[str]:
    told = [text(one) for one in _listed(data.get("hotelFacilities")) if isinstance(one, str)]
    return [one[:LONGEST_AMENITY] for one in told if one][:MOST_AMENITIES]


def images_of(data: dict[str, Any], most: int = MOST_IMAGES) -> tuple[Image, ...]:
    """Theirs in their order, the one they would show first at the head; else their main picture."""
    told = [one for one in _listed(data.get("hotelImages")) if isinstance(one, dict)]
    told.sort(key=lambda one: (one.get("defaultImage") is not True, _place(one.get("order"))))
    found = [image for one in told if (image := image_of(one.get("url"), one.get("caption")))]
    if not found and (main := image_of(data.get("main_photo"))):
        found = [main]
    return tuple(found[:most])


def image_of(url: object, caption: object = None) -> Image | None:
    """None for what is no address that a page over HTTPS may show."""
    if not isinstance(url, str) or len(url) > LONGEST_URL or not ADDRESS.fullmatch(url):
        return None
    return Image(url, plain(caption, LONGEST_CAPTION) or "")


def plain(told: object, longest: int = LONGEST_DESCRIPTION) -> str | None:
    """Their HTML as plain text, cut after a word. None for nothing."""
    if not isinstance(told, str):
        return None
    words = SPACES.sub(" ", text(html.unescape(MARKUP.sub(" ", told)))).strip()
    if len(words) > longest:
        cut = words[: longest - 1]
        words = (cut.rpartition(" ")[0] or cut).rstrip(" ,;.") + "…"
    return words or None


def score_of(told: object) -> Decimal | None:
    """The guests' score out of ten, to one decimal; zero means none."""
    try:
        score = number(told)
    except UNREADABLE:
        return None
    return score.quantize(Decimal("0.1"), ROUND_HALF_UP) if 0 < score <= HIGHEST_SCORE else None


def hour_of(told: object) -> str | None:
    """`04:00 PM` and `16:00` as `16:00`; None for what is no time of day."""
    match = HOUR.fullmatch(told.strip()) if isinstance(told, str) else None
    if match is None:
        return None
    hours, minutes, half = int(match[1]), int(match[2]), (match[3] or "").lower()
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half == "pm" else 0)
    return f"{hours:02}:{minutes:02}" if hours < 24 and minutes < 60 else None


def whole(told: object, most: int) -> int | None:
    """A count from 1 to `most`; None for anything else."""
    try:
        value = number(told)
    except UNREADABLE:
        return None
    return int(value) if 1 <= value <= most else None


def _rooms(told: object) -> Iterator[DescribedRoom]:
    for one in _listed(told)[:MOST_ROOMS]:
        name = plain(one.get("roomName"), LONGEST_NAME) if isinstance(one, dict) else None
        if name is not None:
            yield DescribedRoom(
                room_id=text(one.get("id"))[:LONGEST_NAME],
                name=name,
                beds=beds_of(one),
                max_occupancy=whole(one.get("maxOccupancy"), MOST_SLEEPERS),
                size_m2=size_of(one),
            )


def beds_of(room: dict[str, Any], *, measured: bool = False) -> str | None:
    """`2 Single bed(s)`, as they call them; several kinds are joined by what they say is between them. `measured`: with how wide
    each is, where they say so.
    """
    told = [one for one in _listed(room.get("bedTypes"))[:MOST_BEDS] if isinstance(one, dict)]
    sizes = [f" ({size})" if measured and (size := plain(one.get("bedSize"), 60)) else "" for one in told]
    kinds = [
        (
            whole(one.get("quantity"), 20) or 1,
            f"{kind}{size}" if (kind := plain(one.get("bedType"), 60)) else None,
        )
        for one, size in zip(told, sizes, strict=True)
    ]
    between = " or " if str(room.get("bedRelation")).lower() == "or" else ", "
    return between.join(f"{count} {kind}" for count, kind in kinds if kind is not None) or None


def size_of(room: dict[str, Any]) -> int | None:
    """In square metres; of a unit that is not known, nothing."""
    try:
        size = number(room.get("roomSizeSquare"))
    except UNREADABLE:
        return None
    unit = str(room.get("roomSizeUnit") or "m2").lower()
    if unit in ("sqft", "ft2", "sq ft"):
        size /= SQUARE_FEET_OF_A_M2
    elif unit not in ("m2", "sqm"):
        return None
    return whole(size.quantize(Decimal(1), ROUND_HALF_UP), LARGEST_ROOM_M2) if 0 < size < 10**9 else None


def _listed(told: object) -> list[Any]:
    return told if isinstance(told, list) else []


def _place(told: object) -> Decimal:
    try:
        return number(told)
    except UNREADABLE:
        return Decimal(10**6)


def with_facts(offers: list[HotelOffer]) -> list[HotelOffer]:
    """The offers with what is known of their hotels; what is unknown, or was learned too long ago, is wanted from now on."""
    ids = {offer.hotel.hotel_id for offer in offers}
    rows = HotelFacts.objects.filter(supplier_name=NAME, hotel_id__in=ids, language=ENGLISH)
    known = {facts.hotel_id: facts for facts in rows.defer("details")}
    want(NAME, ids - known.keys(), [facts for facts in known.values() if is_stale(facts)])
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
    """The data of the search itself takes precedence if it may be newer."""
    return replaced(
        hotel,
        description=content.description,
        images=text_of(content.images) if content.images else hotel.images,
        review_score=hotel.review_score or content.review_score,
        check_in_from=content.check_in_from,
        check_out_until=content.check_out_until,
    )


def in_words_of(offer: HotelOffer, details: Details) -> HotelOffer:
    """In the language of the details. A rate's room is known there by the id that the rate names, and by nothing else."""
    rooms = {room.key: room for room in details.rooms if room.key}
    return HotelOffer(
        described_in(offer.hotel, details), tuple([_in_words_of(rate, rooms) for rate in offer.rates])
    )


def _in_words_of(rate: Rate, rooms: dict[str, RoomDetails]) -> Rate:
    ids = rate.supplier_data.get(ROOM_IDS, "").split(",")
    kinds = kinds_in(rate.rooms)
    found = [rooms.get(room_id) for room_id in ids]
    if len(found) != len(kinds) or None in found:
        return rate
    named = [
        RoomKind(room.name, room.beds or kind.beds, kind.max_occupancy, kind.size_m2)
        for room, kind in zip(found, kinds, strict=True)
        if room is not None
    ]
    return replaced(
        rate, room_name=" + ".join(dict.fromkeys(kind.name for kind in named)), rooms=text_of(named)
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
    return replaced(rate, rooms=text_of(rooms))
