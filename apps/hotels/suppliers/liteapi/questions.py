"""Our questions in their words: where and for whom to search, and who is to stay."""

from collections.abc import Iterator
from typing import Any

from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import Guest, StayRequest, StaySearch
from apps.suppliers.errors import InvalidField

RATES_A_HOTEL = 10
MOST_HOTELS = 100
SMALLEST_RADIUS = 1_000
"""In metres; what is too far away is sifted out here."""
CITIES_ASKED = 3
"""At most so many calls for a search that names no city, one after the other."""
NATIONALITY = "US"
"""Of guests who do not tell theirs: LiteAPI prices nothing without one."""


def searches(request: StaySearch) -> Iterator[dict[str, Any]]:
    """The bodies to ask with, in turn, until enough is found: their search takes one kind of place at a time."""
    for place in places(request):
        yield {**_stay(request), **place}


def places(request: StaySearch) -> list[dict[str, Any]]:
    """The narrowest of what the request says of where; what else it says the answer is sifted by."""
    if request.hotel_ids is not None:
        return [{"hotelIds": list(request.hotel_ids)}]
    if request.area is not None:
        return [
            {
                "latitude": float(request.area.latitude),
                "longitude": float(request.area.longitude),
                "radius": max(SMALLEST_RADIUS, int(request.area.radius_km * 1000)),
            }
        ]
    if request.city is not None:
        return [city_named(request.city, request.country)]
    found = cities.largest(request.country, CITIES_ASKED) if request.country else cities.featured()
    return [{"countryCode": city.country, "cityName": city.name} for city in found[:CITIES_ASKED]]


def is_sifted(request: StaySearch) -> bool:
    """Whether the answer may hold hotels that are too dear, or not where all that is said of where has them."""
    if request.max_total_cents is not None:
        return True
    town = request.city or request.country
    return sum(said is not None for said in (request.hotel_ids, request.area, town)) > 1 or (
        request.area is not None and request.area.radius_km * 1000 < SMALLEST_RADIUS
    )


def city_named(name: str, country: str | None) -> dict[str, str]:
    """By its English name, where it is known by any; without a country, the largest city of that name.

    Raises InvalidField where it takes the partner to say in which country it lies.
    """
    found = cities.find(name, country)
    if found is not None:
        return {"countryCode": found.country, "cityName": found.name}
    if country is None:
        raise InvalidField("destination.countryCode", "is needed for a city that is not known here")
    return {"countryCode": country, "cityName": name}


def refused_field(told: str, request: StaySearch) -> str | None:
    """Which field of the partner's a refusal speaks of, by its dotted path; None for what we added ourselves."""
    given = {
        "hotelids": ("hotelIds", request.hotel_ids),
        "cityname": ("destination.city", request.city),
        "countrycode": ("destination.countryCode", request.country),
        "latitude": ("location.latitude", request.area),
        "longitude": ("location.longitude", request.area),
        "radius": ("location.radiusKm", request.area),
        "guestnationality": ("guestNationality", request.guest_nationality),
        "occupanc": ("rooms", request.rooms),
        "checkin": ("checkIn", request.check_in),
        "checkout": ("checkOut", request.check_out),
    }
    said = told.casefold()
    return next((field for word, (field, value) in given.items() if word in said and value is not None), None)


def _stay(request: StaySearch) -> dict[str, Any]:
    body: dict[str, Any] = {
        "occupancies": [
            {"adults": room.adults, "children": list(room.children_ages)} for room in request.rooms
        ],
        "checkin": request.check_in.isoformat(),
        "checkout": request.check_out.isoformat(),
        "currency": request.currency,
        "guestNationality": request.guest_nationality or NATIONALITY,
        "maxRatesPerHotel": RATES_A_HOTEL,
        "limit": MOST_HOTELS if is_sifted(request) else request.limit,
        "margin": 0,
        "includeHotelData": True,
        "roomMapping": True,
    }
    return {**body, "refundableRatesOnly": True} if request.refundable_only else body


def booking(request: StayRequest) -> dict[str, Any]:
    """What books a prebook: one lead guest for each room."""
    data = request.rate.supplier_data
    leads = lead_guests(request.guests, [int(adults) for adults in data["adults"].split(",")])
    guests = [
        {
            "occupancyNumber": number,
            "firstName": lead.first_name,
            "lastName": lead.last_name,
            "email": request.email,
        }
        for number, lead in enumerate(leads, start=1)
    ]
    if request.special_requests:
        guests[0]["remarks"] = request.special_requests
    holder = {
        "firstName": leads[0].first_name,
        "lastName": leads[0].last_name,
        "email": request.email,
        "phone": request.phone,
    }
    return {
        "prebookId": data["prebook_id"],
        "clientReference": request.client_ref,
        "holder": holder,
        "guests": guests,
    }


def lead_guests(guests: tuple[Guest, ...], adults_by_room: list[int]) -> list[Guest]:
    """The first adult of each room. Where fewer came than were searched for, nobody knows who sleeps where: the first of all."""
    adults = [guest for guest in guests if guest.type == "adult"]
    if len(adults) != sum(adults_by_room):
        return adults[: len(adults_by_room)]
    return [adults[sum(adults_by_room[:room])] for room in range(len(adults_by_room))]
