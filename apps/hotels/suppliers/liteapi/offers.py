"""Their answer to a search as our offers, and a prebook as the rate it confirms."""

from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

from apps.common.money import to_cents
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import (
    Board,
    Hotel,
    HotelOffer,
    LocalCharge,
    Rate,
    StaySearch,
)
from apps.hotels.suppliers.liteapi.amounts import (
    MOST_CENTS,
    Price,
    least_public,
    net_of_booking,
    net_of_room_type,
    number,
)
from apps.hotels.suppliers.liteapi.descriptions import MOST_SLEEPERS, image_of, score_of, whole
from apps.hotels.suppliers.liteapi.errors import UNREADABLE
from apps.hotels.suppliers.liteapi.policies import is_refundable, policy_of_rates, steps_of, steps_of_text
from apps.hotels.suppliers.liteapi.texts import handle, name_of, text
from apps.hotels.suppliers.shown import NOTHING, RoomKind, Tax, images_text, rooms_text, taxes_text
from apps.suppliers.errors import Expired
from apps.suppliers.results import NONE_WITHHELD, Found, Withheld
from apps.suppliers.values import replaced

LONGEST_ID, LONGEST_OFFER = 64, 16_384
MOST_STARS = 7
SAME_BOARD = {"BI": "BB", "BD": "BB", "CB": "BB", "AB": "BB", "UI": "AI", "UAI": "AI"}
"""Codes of theirs for a kind of what our five say."""
DIGITS = "0123456789"
PROPERTY_PAY = "PROPERTY_PAY"
ROOM_IDS = "room_ids"
"""In a rate's `supplier_data`: which of the hotel's rooms it is for, one for each room of the stay."""


def offers(answer: dict[str, Any], request: StaySearch) -> Found[HotelOffer]:
    """The hotels that satisfy the request, in their order, each with its rates, the cheapest first.

    A rate that cannot be read is counted, as is each of a hotel that cannot be read.
    """
    if not isinstance(answer["data"], list | None):
        raise TypeError("no list of hotels")
    told = answer.get("hotels")
    hotels = [hotel for hotel in told if isinstance(hotel, dict)] if isinstance(told, list) else []
    described = {str(hotel.get("id")): hotel for hotel in hotels}
    found, withheld = [], NONE_WITHHELD
    for data in answer["data"] or []:
        try:
            hotel = hotel_of(described[data["hotelId"]])
            room_types = list(data["roomTypes"])
        except UNREADABLE:
            withheld += Withheld(unreadable=_rates_told(data))
            continue
        if is_where(hotel, request):
            rates = _suitable(room_types, request)
            withheld += rates.withheld
            if rates:
                found.append(HotelOffer(hotel, tuple(sorted(rates, key=lambda rate: rate.total_cents))))
    return Found(found, withheld)


def _rates_told(data: Any) -> int:
    """Of a hotel that cannot be read: at least one, for it is listed because it has some."""
    told = data.get("roomTypes") if isinstance(data, dict) else None
    return max(1, len(told)) if isinstance(told, list) else 1


def hotel_of(data: Any) -> Hotel:
    """Without what no search tells. Raises ValueError for an id or a place that cannot be, and for no name at all: a hotel
    without coordinates is documented, but every hotel of ours has its place on the map.
    """
    city = name_of(data["city_name"])
    stars, latitude, longitude = (
        number(data.get("stars") or 0),
        number(data["latitude"]),
        number(data["longitude"]),
    )
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise ValueError("nowhere on earth")
    return Hotel(
        hotel_id=handle(data["id"], LONGEST_ID),
        name=name_of(data["name"]),
        stars=int(stars) if 0 <= stars <= MOST_STARS else 0,
        street=text(data.get("address")) or city,
        city=city,
        country=country_of(data["country_code"]),
        latitude=latitude,
        longitude=longitude,
        amenities=(),
        images=images_text([main]) if (main := image_of(data.get("main_photo"))) else NOTHING,
        review_score=score_of(data.get("rating")),
    )


def country_of(told: object) -> str:
    """In capitals, whichever way they write it. Raises ValueError for what is no ISO 3166 alpha-2 code."""
    code = text(told).upper()
    if not (len(code) == 2 and code.isascii() and code.isalpha()):
        raise ValueError("no country")
    return code


def _suitable(room_types: list[Any], request: StaySearch) -> Found[Rate]:
    adults = ",".join(str(room.adults) for room in request.rooms)
    found, unsupported, unreadable = [], 0, 0
    for room_type in room_types:
        try:
            if is_unsupported(room_type, room_type["rates"]):
                unsupported += 1
                continue
            rate = rate_of(room_type, adults)
        except UNREADABLE:
            unreadable += 1
            continue
        too_dear = (
            request.max_total_cents is not None
            and rate.currency == request.currency
            and rate.total_cents > request.max_total_cents
        )
        if not too_dear and (rate.refundable or not request.refundable_only):
            found.append(rate)
    return Found(found, Withheld(unsupported=unsupported, unreadable=unreadable))


def is_unsupported(product: Any, rates: list[Any]) -> bool:
    """Whether a room type or a prebook, with its `rates`, cannot be sold through us: the guest would pay the hotel, or needs a
    membership, or it may only be sold as a part of a package.
    """
    return any(
        one.get("loyaltyMembershipIdRequired")
        or one.get("rateType") == "package"
        or _is_paid_at_property(one.get("paymentTypes"))
        for one in (product, *rates)
    )


def _is_paid_at_property(told: object) -> bool:
    """Where nothing is said, or something else as well, we can pay."""
    kinds = told if isinstance(told, list) else [told] if told else []
    return bool(kinds) and all(kind == PROPERTY_PAY for kind in kinds)


def rate_of(room_type: Any, adults: str) -> Rate:
    """One room type, which is what they sell: all rooms of the stay together."""
    rates, price = room_type["rates"], net_of_room_type(room_type)
    due = tuple(charges(rates, price))
    supplier_data = {
        "offer_id": handle(room_type["offerId"], LONGEST_OFFER),
        "amount": str(price.amount),
        "currency": price.currency,
        "adults": adults,
    }
    if any(rate.get("mappedRoomId") for rate in rates):
        supplier_data[ROOM_IDS] = ",".join(_room_id(rate) for rate in rates)
    return Rate(
        room_name=" + ".join(dict.fromkeys(name_of(rate["name"]) for rate in rates)),
        board=board_of(rates[0]),
        refundable=is_refundable(rates),
        total_cents=price.cents,
        currency=price.currency,
        cancellation_policy=policy_of_rates(rates),
        pay_at_hotel=due,
        expires_at=None,
        supplier_data=supplier_data,
        penalty_steps=steps_of(
            [rate["cancellationPolicies"] for rate in rates], total_cents=price.cents, currency=price.currency
        ),
        rooms=rooms_text(
            RoomKind(name_of(rate["name"]), max_occupancy=whole(rate.get("maxOccupancy"), MOST_SLEEPERS))
            for rate in rates
        ),
        taxes=taxes_text([*included_taxes(rates, price.currency), *map(_due, due)]),
        least_public_cents=least_public(room_type, price.currency),
    )


def _room_id(rate: Any) -> str:
    told = text(rate.get("mappedRoomId"))
    return told if len(told) <= LONGEST_ID and "," not in told else ""


def board_of(rate: Any) -> Board:
    """`BB1`, `BB2` and so on are kinds of what their letters say. What says nothing promises no meal."""
    code = text(rate.get("boardType")).upper().rstrip(DIGITS) or "RO"
    return Board(SAME_BOARD.get(code, code), text(rate.get("boardName")) or code)


def charges(rates: list[Any], price: Price) -> Iterator[LocalCharge]:
    """Taxes and fees that the hotel collects, those of one kind for all rooms together. Raises ValueError, also for one without
    an amount: it is not zero.
    """
    sums: dict[tuple[str, str], Decimal] = {}
    for rate in rates:
        for tax in rate["retailRate"].get("taxesAndFees") or []:
            if tax.get("included") is False and tax.get("amount") != 0:
                kind = text(tax.get("description")) or "Tax", str(tax.get("currency") or price.currency)
                sums[kind] = sums.get(kind, Decimal(0)) + number(tax["amount"])
    for (description, currency), amount in sums.items():
        cents = to_cents(amount, currency)
        if abs(cents) >= MOST_CENTS:
            raise ValueError("a charge that nobody can pay")
        yield LocalCharge(description, cents, currency)


def included_taxes(rates: list[Any], currency: str) -> Iterator[Tax]:
    """Those that their price includes, of one kind for all rooms together. One that cannot be read is only not shown."""
    sums: dict[tuple[str, str], Decimal] = {}
    for rate in rates:
        for tax in rate["retailRate"].get("taxesAndFees") or []:
            if tax.get("included") is True and tax.get("amount"):
                kind = text(tax.get("description")) or "Tax", str(tax.get("currency") or currency)
                with suppress(*UNREADABLE):
                    sums[kind] = sums.get(kind, Decimal(0)) + number(tax["amount"])
    for (description, told_in), amount in sums.items():
        with suppress(*UNREADABLE):
            cents = to_cents(amount, told_in)
            if abs(cents) < MOST_CENTS:
                yield Tax(description, cents, told_in, included=True)


def _due(charge: LocalCharge) -> Tax:
    return Tax(charge.description, charge.amount_cents, charge.currency, included=False)


def is_where(hotel: Hotel, request: StaySearch) -> bool:
    """Whether a hotel that was found by one kind of place also satisfies the others. A search by a city's name alone keeps the
    suburbs that they count in with the city.
    """
    if request.hotel_ids is None and request.area is None:
        return True
    if request.hotel_ids is not None and hotel.hotel_id not in request.hotel_ids:
        return False
    if request.country not in (None, hotel.country):
        return False
    if request.area is not None and not _inside(hotel, request):
        return False
    return request.city is None or _same_city(request.city, hotel)


def _inside(hotel: Hotel, request: StaySearch) -> bool:
    assert request.area is not None
    distance = cities.distance_km(
        float(request.area.latitude),
        float(request.area.longitude),
        float(hotel.latitude),
        float(hotel.longitude),
    )
    return distance <= float(request.area.radius_km)


def _same_city(name: str, hotel: Hotel) -> bool:
    """By name, in whatever language."""
    if cities.fold(name) == cities.fold(hotel.city):
        return True
    meant = cities.find(name, hotel.country)
    return meant is not None and meant == cities.find(hotel.city, hotel.country)


def confirmed_rate(rate: Rate, prebook: Any) -> Rate:
    """The rate as a prebook confirms it, with what booking it takes. Raises Expired where it is not the product quoted, or cannot
    be sold through us.
    """
    price = net_of_booking(prebook)
    rates = [one for room in prebook.get("roomTypes") or [] for one in room.get("rates") or []]
    if is_unsupported(prebook, [*(prebook.get("roomTypes") or []), *rates]):
        raise Expired("the rate is not sold through us")
    if prebook.get("cancellationChanged") or prebook.get("boardChanged"):
        raise Expired("the terms are not those that were quoted")
    if price.currency != rate.supplier_data["currency"]:
        raise Expired("the currency is not the one that was quoted")
    policies = [one for one in rates if one.get("cancellationPolicies")]
    policy = policy_of_rates(policies) if policies else rate.cancellation_policy
    return replaced(
        rate,
        total_cents=price.cents,
        currency=price.currency,
        cancellation_policy=policy,
        penalty_steps=steps_of_text(policy, total_cents=price.cents, currency=price.currency),
        supplier_data={
            **rate.supplier_data,
            "prebook_id": handle(prebook["prebookId"], LONGEST_OFFER),
            "amount": str(price.amount),
        },
    )
