"""LiteAPI's list of hotels (`GET /data/hotels`) and the whole of its description of one (`GET /data/hotel`).

A hotel whose id, name or country cannot be read is counted; any other field that is not as documented is left out. The flags
`parking`, `childAllowed` and `petsAllowed` are not read: in their own example they contradict the policies beside them.
"""

import html
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from apps.common.languages import ENGLISH
from apps.hotels.facilities import code_of
from apps.hotels.suppliers.base import Image
from apps.hotels.suppliers.liteapi.client import UNREADABLE, handle, name_of, number, text
from apps.hotels.suppliers.liteapi.hotels import (
    MOST_AMENITIES,
    MOST_ROOMS,
    MOST_SLEEPERS,
    amenities_of,
    beds_of,
    content_of,
    hour_of,
    image_of,
    images_of,
    plain,
    score_of,
    size_of,
    whole,
)
from apps.hotels.suppliers.liteapi.mapping import LONGEST_ID, MOST_STARS, country_of
from apps.hotels.suppliers.properties import (
    Described,
    Details,
    HouseRule,
    Listed,
    ListPage,
    NamedFacility,
    RoomDetails,
)
from apps.suppliers.values import to_json

# Their list of languages lacks English, in which they describe where none is named.
LANGUAGES: tuple[str, ...] = (
    *(ENGLISH, "ar", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "ja"),
    *("lt", "lv", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "zh"),
)
PAGE = 2_000
"""Of 5,000 at most: with its descriptions, a page has some megabytes."""
OVERLAP = 50
LONGEST, LONGEST_ZIP, LONGEST_KIND, LONGEST_TEXT = 255, 32, 40, 20_000
LONGEST_READ = 100_000
MOST_IMAGES, MOST_ROOM_IMAGES, MOST_RULES, MOST_VIEWS = 50, 15, 40, 10
MOST_REVIEWS = 10**8
NONE_KNOWN = frozenset({"", "not available", "n/a", "none", "unknown", "independent"})
END_OF_LINE = re.compile(r"<\s*(?:br|/?p|/?div|/?li|/?h[1-6]|/?tr|/?ul|/?ol)\b[^<>]*>|\r\n?", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")
POLICY = re.compile(r"^POLICY_(?:HOTEL_)?")
NOT_A_LETTER = re.compile(r"[^a-z]+")
AIRPORT = re.compile(r"[A-Z]{3}")
PHONE = re.compile(r"\+?[0-9][0-9 ()./-]{3,30}")


def page_of(found: list[Any], offset: int) -> ListPage:
    """A page that is not full is the last one."""
    hotels, unreadable = [], 0
    for data in found:
        try:
            hotels.append(listed_as(data))
        except UNREADABLE:
            unreadable += 1
    more = offset + PAGE - OVERLAP if len(found) >= PAGE else None
    return ListPage(tuple(hotels), more, unreadable)


def listed_as(data: dict[str, Any]) -> Listed:
    """An item of their list. Raises what UNREADABLE has."""
    latitude, longitude = place_of(data.get("latitude"), data.get("longitude"))
    image = image_of(data.get("main_photo"))
    return Listed(
        hotel_id=handle(data["id"], LONGEST_ID),
        name=line_of(name_of(data["name"])),
        country=country_of(data["country"]),
        stars=stars_of(data.get("stars")),
        line=line_of(data.get("address")),
        city=line_of(data.get("city")),
        zip=line_of(data.get("zip"))[:LONGEST_ZIP],
        latitude=latitude,
        longitude=longitude,
        chain=known(data.get("chain")) or "",
        image=image.url if image else "",
        review_score=score_of(data.get("rating")),
        review_count=whole(data.get("reviewCount"), MOST_REVIEWS),
        deleted=isinstance(data.get("deletedAt"), str) and data["deletedAt"] != "",
    )


def described_as(data: dict[str, Any], language: str) -> Described:
    """Their description; with `content`, what searches show of it."""
    return Described(
        details=details_of(data, language),
        listed=_listed_in(data),
        amenities=tuple(amenities_of(data)),
        content=to_json(content_of(data)),
    )


def _listed_in(data: dict[str, Any]) -> Listed | None:
    """A description has what the list has, in part under other names. None where that cannot be read."""
    at = data.get("location")
    at = at if isinstance(at, dict) else {}
    item = {
        **data,
        "latitude": at.get("latitude"),
        "longitude": at.get("longitude"),
        "stars": data.get("starRating"),
    }
    try:
        return listed_as(item)
    except UNREADABLE:
        return None


def details_of(data: dict[str, Any], language: str) -> Details:
    times = data.get("checkinCheckoutTimes")
    times = times if isinstance(times, dict) else {}
    short = content_of({"checkinCheckoutTimes": times})
    airport = text(data.get("airportCode"))
    phone = text(data.get("phone")).strip()
    return Details(
        description=paragraphs(data.get("hotelDescription")),
        important_information=_important(data.get("hotelImportantInformation"), times),
        facilities=tuple(_facilities(data, language)),
        rooms=tuple(_rooms(data.get("rooms"))),
        images=images_of(data, MOST_IMAGES),
        rules=tuple(_rules(data.get("policies"))),
        check_in_from=short.check_in_from,
        check_in_until=next(filter(None, map(hour_of, map(times.get, ("checkin_end", "checkinEnd")))), None),
        check_out_until=short.check_out_until,
        kind=known(data.get("hotelType")),
        phone=phone if PHONE.fullmatch(phone) else None,
        airport=airport if AIRPORT.fullmatch(airport) else None,
    )


def _important(told: object, times: dict[str, Any]) -> str | None:
    """With what they say of arriving, each line once."""
    arriving = [times.get("special_instructions"), *_listed(times.get("instructions"))]
    texts = [text for text in map(paragraphs, (told, *arriving)) if text]
    return plain_lines(list(dict.fromkeys("\n".join(texts).split("\n")))) if texts else None


def place_of(latitude: object, longitude: object) -> tuple[float | None, float | None]:
    """Degrees. None for no place on earth, and for zero and zero, which is how some systems write that they know none."""
    try:
        north, east = float(number(latitude)), float(number(longitude))
    except UNREADABLE:
        return None, None
    if abs(north) > 90 or abs(east) > 180 or (north, east) == (0.0, 0.0):
        return None, None
    return north, east


def stars_of(told: object) -> Decimal | None:
    try:
        stars = number(told)
    except UNREADABLE:
        return None
    return stars.quantize(Decimal("0.1"), ROUND_HALF_UP) if 0 < stars <= MOST_STARS else None


def line_of(told: object) -> str:
    return (plain(told, LONGEST) if isinstance(told, str) else None) or ""


def known(told: object) -> str | None:
    """A name of a chain, or a kind of house; None for words such as "no chain"."""
    name = line_of(told)
    return None if name.casefold() in NONE_KNOWN else name


def paragraphs(told: object) -> str | None:
    """Their HTML, or text with line breaks, as plain text with a line for each paragraph. None for nothing."""
    if not isinstance(told, str):
        return None
    lines = TAG.sub(" ", END_OF_LINE.sub("\n", told[:LONGEST_READ])).split("\n")
    words = [" ".join(text(html.unescape(line)).split()) for line in lines]
    return plain_lines([line for line in words if line])


def plain_lines(lines: list[str]) -> str | None:
    whole_text = "\n".join(lines)
    if len(whole_text) > LONGEST_TEXT:
        whole_text = whole_text[: LONGEST_TEXT - 1].rstrip() + "…"
    return whole_text or None


def _facilities(data: dict[str, Any], language: str) -> Iterator[NamedFacility]:
    """Those with ids, which are the same in every language; else the names alone."""
    told = [one for one in _listed(data.get("facilities")) if isinstance(one, dict)]
    named = [(line_of(one.get("name")), text(one.get("facilityId"))[:LONGEST_ID]) for one in told]
    if not any(name for name, _ in named):
        named = [(name, "") for name in amenities_of(data)]
    for name, key in named[:MOST_AMENITIES]:
        if name:
            yield NamedFacility(name, code_of(name) if language == ENGLISH else None, key)


def _rooms(told: object) -> Iterator[RoomDetails]:
    for room in _listed(told)[:MOST_ROOMS]:
        name = line_of(room.get("roomName")) if isinstance(room, dict) else ""
        if name:
            yield RoomDetails(
                name=name,
                description=paragraphs(room.get("description")),
                beds=beds_of(room, measured=True),
                size_m2=size_of(room),
                max_occupancy=whole(room.get("maxOccupancy"), MOST_SLEEPERS),
                amenities=tuple(_names(room.get("roomAmenities"), "name", MOST_AMENITIES)),
                views=tuple(_names(room.get("views"), "view", MOST_VIEWS)),
                images=tuple(_photos(room.get("photos"))),
                key=text(room.get("id"))[:LONGEST_ID],
            )


def _photos(told: object) -> Iterator[Image]:
    """The main one first."""
    photos = [one for one in _listed(told) if isinstance(one, dict)]
    photos.sort(key=lambda one: one.get("mainPhoto") is not True)
    for one in photos[:MOST_ROOM_IMAGES]:
        image = image_of(one.get("hd_url"), one.get("imageDescription"))
        image = image or image_of(one.get("url"), one.get("imageDescription"))
        if image:
            yield image


def _rules(told: object) -> Iterator[HouseRule]:
    """The texts of policies that have one. Their types are `POLICY_HOTEL_PETS` and the like."""
    for one in _listed(told)[:MOST_RULES]:
        words = paragraphs(one.get("description")) if isinstance(one, dict) else None
        if words:
            kind = NOT_A_LETTER.sub("_", POLICY.sub("", text(one.get("policy_type"))).lower()).strip("_")
            yield HouseRule(kind[:LONGEST_KIND] or "other", line_of(one.get("name")), words)


def _names(told: object, field: str, most: int) -> list[str]:
    names = [line_of(one.get(field)) for one in _listed(told) if isinstance(one, dict)]
    return list(dict.fromkeys(filter(None, names)))[:most]


def _listed(told: object) -> list[Any]:
    return told if isinstance(told, list) else []
