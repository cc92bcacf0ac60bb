"""Hotels: the widest searches, and bookings with every room full."""

import uuid
from datetime import timedelta
from itertools import cycle

from apps.common import clock
from apps.hotels.serializers import (
    FURTHEST,
    MAX_ADULTS,
    MAX_CHILDREN,
    MAX_HOTEL_IDS,
    MAX_NIGHTS,
    MAX_RADIUS_KM,
    MAX_ROOMS,
    OLDEST_CHILD,
)
from apps.hotels.suppliers import cities
from tests.bench import stays
from tests.bench.costs.partner import LISTED, NAMES, TEXT, Asks, Body, Partner
from tests.support.flight_shop import CONTACT

CITIES = cycle(stays.LARGE_CITIES)
COUNTRIES = cycle(("GB", "FR", "DE", "US", "JP", "IN"))
CENTRES = cycle(
    (city.latitude, city.longitude) for city in cities.largest("US", 20) + cities.largest("IN", 40)
)
# Full, and no two alike: what is alike is priced once.
ROOMS = [
    {"adults": MAX_ADULTS, "childrenAges": [OLDEST_CHILD] * grown + [5] * (MAX_CHILDREN - grown)}
    for grown in range(MAX_CHILDREN + 1)
]
ROOMS += [{**room, "adults": MAX_ADULTS - 1} for room in ROOMS[: MAX_ROOMS - len(ROOMS)]]
GUESTS = sum(room["adults"] + len(room["childrenAges"]) for room in ROOMS)  # type: ignore[misc, operator, arg-type]
LARGE = f"{MAX_ROOMS} full rooms, {MAX_NIGHTS} nights"


def usual() -> Body:
    """Twenty hotels of a city, two nights, one room: what everything is measured by."""
    return stays.search(next(CITIES))


def widest(**where: object) -> Body:
    """As many rooms, guests and nights as are sold, at the end of the time that they are sold for."""
    last = clock.today() + FURTHEST
    return {
        "checkIn": (last - timedelta(days=MAX_NIGHTS)).isoformat(),
        "checkOut": last.isoformat(),
        "rooms": ROOMS,
        "guestNationality": "PT",
        "limit": 100,
        **where,
    }


def around(**more: object) -> Body:
    latitude, longitude = next(CENTRES)
    return widest(location={"latitude": latitude, "longitude": longitude, "radiusKm": MAX_RADIUS_KM}, **more)


def booking(rate_id: str) -> Body:
    adult, child = {**NAMES, "type": "adult"}, {**NAMES, "type": "child", "age": OLDEST_CHILD}
    adults, children = sum(room["adults"] for room in ROOMS), sum(len(room["childrenAges"]) for room in ROOMS)  # type: ignore[misc]
    return {
        "rateId": rate_id,
        "guests": [*[adult] * adults, *[child] * children],
        "contact": CONTACT,
        "specialRequests": "x" * 1_000,
        "externalReference": uuid.uuid4().hex,
    }


def asks(partner: Partner) -> Asks:
    found = partner.answer("searchHotels", around())
    ids = [hotel["hotelId"] for hotel in found["hotels"]][:MAX_HOTEL_IDS]
    rate = found["hotels"][0]["rates"][0]["rateId"]
    stay = partner.booked("createHotelBooking", booking(rate))
    yield partner.ask("searchHotels", f"{MAX_RADIUS_KM} km around a place, {LARGE}, limit 100", around)
    yield partner.ask(
        "searchHotels", f"{len(ids)} hotelIds, {LARGE}, limit 100", lambda: widest(hotelIds=ids)
    )
    yield partner.ask(
        "searchHotels",
        f"a country, {LARGE}, limit 100",
        lambda: widest(destination={"countryCode": next(COUNTRIES)}),
    )
    yield partner.ask("searchHotels", f"{MAX_RADIUS_KM} km, all too dear", lambda: around(maxTotalCents=1))
    yield partner.reading("getHotelSearch", f"{len(ids)} hotels", id=found["id"])
    yield partner.reading("getHotelRate", LARGE, id=rate)
    yield partner.ask("createHotelBooking", f"{GUESTS} guests, longest texts", lambda: booking(rate))
    yield partner.reading("getHotelBooking", f"{GUESTS} guests, longest texts", id=stay["id"])
    yield partner.reading("listHotelBookings", f"limit {LISTED}, {GUESTS} guests each", query="limit=100")
    yield partner.reading(
        "listHotelBookings",
        f"limit {LISTED}, by status, {GUESTS} guests each",
        query="limit=100&status=confirmed",
    )
    yield partner.sending(
        "cancelHotelBooking",
        f"{GUESTS} guests, longest reason",
        lambda: partner.request(
            "cancelHotelBooking",
            {"reason": TEXT},
            id=partner.answer("createHotelBooking", booking(rate))["id"],
        ),
    )
