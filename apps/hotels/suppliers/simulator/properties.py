"""The simulator's content of hotels: those of the largest cities are listed, and every one is described when it is asked for.

Each hotel is renovated every RENOVATED_EVERY at a moment of its own, by the real clock: then it has further reviews and another
sentence. So among the listed hotels some change every hour, which is how `updatedSince` is tried in a sandbox.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice

from apps.common import clock
from apps.hotels.facilities import code_of
from apps.hotels.pictures import PATH, SUBJECTS
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import Hotel, Image, images_in
from apps.hotels.suppliers.cities import City
from apps.hotels.suppliers.properties import (
    Described,
    Details,
    HouseRule,
    Listed,
    ListPage,
    NamedFacility,
    RoomDetails,
)
from apps.hotels.suppliers.simulator import catalogue
from apps.hotels.suppliers.simulator.rates import remarks_of
from apps.hotels.suppliers.simulator.texts import TEXTS, Texts
from apps.suppliers import airports
from apps.suppliers.errors import Missing
from apps.suppliers.simulation import draw

CITIES_LISTED = 100, 2
"""Of the world and of each country: some 5,000 hotels, made in two seconds. The others are stored when they are read first."""
PAGE = 1_000
UNMAPPED = 26
"""The number of a city's hotel that has no coordinates, so that no search finds it."""
UNMAPPED_EVERY = 8  # cities
RENOVATED_EVERY = timedelta(days=90)
ROOMS = {"standard": 2, "superior": 2, "family": 4}
"""Kinds of rooms, and how many people sleep in one."""
EPOCH = datetime.fromtimestamp(0, UTC)


def page_of(since: datetime | None, offset: int) -> ListPage:
    """Those that were renovated at `since` or later, of the PAGE hotels from `offset` on."""
    now = clock.now()
    ids = list(islice(_listed_ids(), offset, offset + PAGE))
    found = [
        listed(hotel_id, now) for hotel_id in ids if since is None or renovated_at(hotel_id, now) >= since
    ]
    return ListPage(tuple(found), offset + PAGE if len(ids) == PAGE else None)


def describe(hotel_id: str, language: str) -> Described:
    """Raises Missing."""
    now, hotel, texts = clock.now(), hotel_named(hotel_id), TEXTS[language]
    if hotel is None:
        raise Missing("no such hotel")
    renovated = renovated_at(hotel_id, now)
    sentences = (
        texts.description.format(name=hotel.name, house=texts.classes[hotel.stars], city=hotel.city),
        texts.surroundings[draw(0, len(texts.surroundings) - 1, "surroundings", hotel_id)],
        texts.renovated.format(month=renovated.month, year=renovated.year),
    )
    airport = next(iter(airports.of_town(hotel.city, hotel.country)), None)
    details = Details(
        description=" ".join(sentences),
        important_information="\n".join(remark.text for remark in remarks_of(hotel, texts)) or None,
        facilities=tuple(
            NamedFacility(texts.facilities[amenity], code_of(amenity), amenity) for amenity in hotel.amenities
        ),
        rooms=tuple(_room(hotel, kind, texts) for kind in ROOMS),
        images=tuple(
            Image(image.url, texts.pictures[subject].format(hotel.name))
            for subject, image in zip(SUBJECTS, images_in(hotel.images), strict=False)
        ),
        rules=tuple(_rules(hotel, texts)),
        check_in_from=hotel.check_in_from,
        check_in_until="22:00" if hotel.stars == 2 else None,
        check_out_until=hotel.check_out_until,
        kind=texts.kind,
        phone=f"+1 202 555 01{draw(0, 99, 'phone', hotel_id):02d}",
        airport=airport.code if airport else None,
    )
    return Described(details, listed(hotel_id, now))


def listed(hotel_id: str, now: datetime) -> Listed:
    hotel = hotel_named(hotel_id)
    assert hotel is not None
    mapped = not hotel_id.endswith(f"_{UNMAPPED}")
    turns = (renovated_at(hotel_id, now) - EPOCH) // RENOVATED_EVERY
    return Listed(
        hotel_id=hotel_id,
        name=hotel.name,
        country=hotel.country,
        stars=Decimal(hotel.stars),
        line=hotel.street,
        city=hotel.city,
        zip=f"{draw(1_000, 99_999, 'zip', hotel.city, hotel.country):05d}",
        latitude=float(hotel.latitude) if mapped else None,
        longitude=float(hotel.longitude) if mapped else None,
        chain=catalogue.chain_of(hotel_id),
        image=f"/{PATH}{hotel_id}-front.svg",
        review_score=hotel.review_score,
        review_count=draw(40, 900, "reviews", hotel_id) + 7 * (turns % 40),
    )


def renovated_at(hotel_id: str, now: datetime) -> datetime:
    """When it was last."""
    turn = timedelta(seconds=draw(0, int(RENOVATED_EVERY.total_seconds()) - 1, "renovation", hotel_id))
    return now - (now - EPOCH - turn) % RENOVATED_EVERY


def hotel_named(hotel_id: str) -> Hotel | None:
    """Of those that are sold, and of those without coordinates."""
    found = catalogue.find(hotel_id)
    if found is not None:
        return found
    match = catalogue.HOTEL_ID.fullmatch(hotel_id)
    city = cities.by_id(int(match[1])) if match else None
    if match is None or city is None or int(match[2]) != UNMAPPED or not _has_unmapped(city):
        return None
    return catalogue.hotel_of(city, UNMAPPED)


def _has_unmapped(city: City) -> bool:
    return draw(1, UNMAPPED_EVERY, "unmapped", city.id) == 1


def _listed_ids() -> Iterator[str]:
    for city in cities.well_known(*CITIES_LISTED):
        for position in (*range(catalogue.count(city)), *([UNMAPPED] if _has_unmapped(city) else ())):
            yield f"htl_{city.id}_{position:02d}"


def _room(hotel: Hotel, kind: str, texts: Texts) -> RoomDetails:
    """By the names, beds and sizes that its rates have for two, and for four."""
    view = texts.views[draw(0, len(texts.views) - 1, "view", hotel.hotel_id)]
    superior, sleepers = kind == "superior", ROOMS[kind]
    name = f"{texts.rooms[kind]}, {view}" if superior else texts.rooms[kind]
    picture = f"/{PATH}{hotel.hotel_id}-"
    return RoomDetails(
        name=name,
        description=texts.room,
        beds=f"{texts.double_bed}, {texts.single_beds}" if kind == "family" else texts.double_bed,
        size_m2=9 + 2 * hotel.stars + 5 * sleepers + 6 * superior + draw(0, 4, "size", hotel.hotel_id),
        max_occupancy=sleepers + superior,
        amenities=texts.room_amenities[: 1 + hotel.stars // 2 + superior],
        views=(view,) if superior else (),
        images=(
            Image(f"{picture}{kind}.svg", name),
            Image(f"{picture}bathroom.svg", texts.pictures["bathroom"]),
        ),
    )


def _rules(hotel: Hotel, texts: Texts) -> list[HouseRule]:
    return [
        HouseRule(kind, *words)
        for kind, words in texts.rules.items()
        if kind != "pets" or "pets_allowed" in hotel.amenities
    ]
