"""Hotels on the wire: plain dicts, for no serializer is as quick and sixty rates are many."""

import json
from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache

import orjson
from django.conf import settings

from apps.bookings.models import Booking
from apps.bookings.presenters import OfferSteps, booking_json, steps_of_booking, withheld_json
from apps.common.clock import rfc3339
from apps.common.ids import handles
from apps.common.money import with_markup
from apps.gateway.pagination import binding_to_record, read_cursor, write_cursor
from apps.gateway.renderers import render
from apps.hotels.details import GuestCorrection, StayChange, StayDetails
from apps.hotels.models import Property
from apps.hotels.rules import stay_steps, stayed
from apps.hotels.selectors import QuotedRate, QuotedSearch, rate_handles
from apps.hotels.services.change_options import FoundChanges
from apps.hotels.services.read_property import PropertyContent
from apps.hotels.suppliers.base import (
    NOTHING,
    Board,
    Guest,
    Hotel,
    Image,
    LeastRate,
    LocalCharge,
    Rate,
    Remark,
    Room,
    images_in,
    remarks_in,
    text_of,
)
from apps.suppliers.results import Found

LISTING = "hotelSearch"
"""Whose cursors a search's are."""
NO_KIND: dict[str, object] = {"name": None, "beds": None, "maxOccupancy": None, "sizeM2": None}


def search_json(search: QuotedSearch, *, first: int = 0, size: int | None = None) -> dict[str, object]:
    """The answer to a search, and its record. From the same row it is the same to the byte, so replays need no copy.

    A page has `size` hotels, or as many as the search says, from the place `first` on.
    """
    size = size or search.page_size
    end = len(search.offers) if size is None else first + size
    steps = OfferSteps(since=search.created_at, now=search.created_at)
    last, last_written = search.expires_at, rfc3339(search.expires_at)  # nearly all rates expire with it
    return {
        "id": search.id,
        "status": "completed",
        "checkIn": search.check_in.isoformat(),
        "checkOut": search.check_out.isoformat(),
        "createdAt": rfc3339(search.created_at),
        "expiresAt": last_written,
        "hotels": [
            {
                **hotel_json(offer.hotel),
                "rates": [
                    rate_json(
                        rate,
                        rate_id,
                        search.markup_bp,
                        steps,
                        begins_at,
                        last_written if rate.expires_at == last else "",
                    )
                    for begins_at in [stayed(offer.hotel, search.check_in, search.check_out).begins_at]
                    for rate, rate_id in zip(
                        offer.rates, rate_handles(search.id, place, len(offer.rates)), strict=True
                    )
                ],
            }
            for place, offer in enumerate(search.offers[first:end], first)
        ],
        "withheld": withheld_json(search.withheld),
        "language": search.language,
        "nextCursor": cursor_at(search, end) if end < len(search.offers) else None,
    }


def cursor_at(search: QuotedSearch, place: int) -> str:
    return write_cursor([str(place)], binding_to_record(LISTING, search.id), at=search.created_at)


def place_at(search_id: str, cursor: str) -> int:
    """Where a cursor of the search stands. Raises InvalidRequest for another one."""
    (place,) = read_cursor(cursor, binding_to_record(LISTING, search_id))
    return int(place)


def hotel_json(hotel: Hotel) -> dict[str, object]:
    return {
        "hotelId": hotel.hotel_id,
        "name": hotel.name,
        "stars": hotel.stars,
        "address": {"street": hotel.street, "city": hotel.city, "countryCode": hotel.country},
        "location": {"latitude": float(hotel.latitude), "longitude": float(hotel.longitude)},
        "amenities": list(hotel.amenities),
        "description": hotel.description,
        "images": images_json(hotel.images),
        "reviewScore": None if hotel.review_score is None else float(hotel.review_score),
        "checkInFrom": hotel.check_in_from,
        "checkOutUntil": hotel.check_out_until,
    }


def property_json(content: PropertyContent) -> dict[str, object]:
    """All of a hotel's content, in the language that it was found in."""
    stored, details = content.property, content.details
    return {
        **property_facts(stored),
        "description": details.description,
        "images": absolute(details.images or main_image(stored)),
        "facilities": [
            {"code": one.code or content.codes.get(one.key), "name": one.name} for one in details.facilities
        ],
        "rooms": [
            {
                "name": room.name,
                "description": room.description,
                "images": absolute(room.images),
                "beds": room.beds,
                "sizeM2": room.size_m2,
                "maxOccupancy": room.max_occupancy,
                "amenities": list(room.amenities),
                "views": list(room.views),
            }
            for room in details.rooms
        ],
        "policies": {
            "checkInFrom": details.check_in_from,
            "checkInUntil": details.check_in_until,
            "checkOutUntil": details.check_out_until,
            "importantInformation": details.important_information,
            "items": [{"kind": rule.kind, "name": rule.name, "text": rule.text} for rule in details.rules],
        },
        "kind": details.kind,
        "airport": details.airport,
        "phone": details.phone,
        "languages": list(content.languages),
        "language": content.language,
    }


def listed_property_json(stored: Property) -> dict[str, object]:
    return {
        **property_facts(stored),
        "image": next(iter(absolute(main_image(stored))), None),
        "deleted": stored.deleted_at is not None,
    }


def property_facts(stored: Property) -> dict[str, object]:
    """What is known of a hotel in every language."""
    mapped = stored.latitude is not None and stored.longitude is not None
    return {
        "hotelId": stored.hotel_id,
        "name": stored.name,
        "stars": None if stored.stars is None else float(stored.stars),
        "address": {
            "line": stored.line,
            "city": stored.city,
            "zip": stored.zip,
            "countryCode": stored.country,
        },
        "location": {"latitude": stored.latitude, "longitude": stored.longitude} if mapped else None,
        "chain": stored.chain or None,
        "reviewScore": None if stored.review_score is None else float(stored.review_score),
        "reviewCount": stored.review_count,
        "updatedAt": rfc3339(stored.updated_at),
    }


def main_image(stored: Property) -> tuple[Image, ...]:
    return (Image(stored.image),) if stored.image else ()


def absolute(images: Iterable[Image]) -> list[dict[str, str]]:
    """Pictures of this service's own are kept as paths."""
    base = settings.PUBLIC_BASE_URL
    return [
        {"url": base + one.url if one.url[:1] == "/" else one.url, "caption": one.caption} for one in images
    ]


def images_json(images: str) -> orjson.Fragment:
    return _images_at(settings.PUBLIC_BASE_URL, images)


@lru_cache(maxsize=2048)
def _images_at(base: str, images: str) -> orjson.Fragment:
    """Pictures of this service's own are kept as paths. Remembered, because the same hotels are found again and again."""
    shown = images_in(images)
    own = [Image(base + image.url, image.caption) if image.url[:1] == "/" else image for image in shown]
    return orjson.Fragment(text_of(own))


def rate_json(
    rate: Rate, rate_id: str, markup_bp: int, steps: OfferSteps, begins_at: datetime, expires_at: str = ""
) -> dict[str, object]:
    """`begins_at`: the check-in. `expires_at`: as it is written, where that is known already."""
    assert rate.expires_at is not None
    retail, least = with_markup(rate.total_cents, markup_bp), rate.least_public_cents
    return {
        "rateId": rate_id,
        "roomName": rate.room_name,
        "board": board_json(rate.board),
        "refundable": rate.refundable,
        "totalCents": rate.total_cents,
        "currency": rate.currency,
        "priceBasis": "net",
        "suggestedRetailCents": retail if least is None or least < retail else least,
        "cancellationPolicy": policy_json(rate.cancellation_policy),
        "cancellationSteps": steps.json(
            stay_steps(rate.penalty_steps, begins_at, rate.total_cents), rate.total_cents, rate.currency
        ),
        "payAtHotel": [charge_json(charge) for charge in rate.pay_at_hotel],
        "expiresAt": expires_at or rfc3339(rate.expires_at),
        "rooms": orjson.Fragment(rate.rooms),
        "taxes": orjson.Fragment(rate.taxes),
        "totalWithLocalChargesCents": total_with_local_charges(rate),
        "remarks": orjson.Fragment(rate.remarks),
        "promotions": orjson.Fragment(rate.promotions),
        "perks": orjson.Fragment(rate.perks),
    }


def min_rates_json(found: Found[LeastRate]) -> dict[str, object]:
    return {
        "data": [
            {
                "checkIn": rate.check_in.isoformat(),
                "hotelId": rate.hotel_id,
                "totalCents": rate.total_cents,
                "currency": rate.currency,
            }
            for rate in found
        ],
        "withheld": {"unreadable": found.withheld.unreadable},
    }


def total_with_local_charges(rate: Rate) -> int | None:
    """The whole of what the stay costs. None where a charge is in another currency than the total: it cannot be added."""
    total = rate.total_cents
    for charge in rate.pay_at_hotel:
        if charge.currency != rate.currency:
            return None
        total += charge.amount_cents
    return total


@lru_cache(maxsize=512)
def policy_json(policy: str) -> orjson.Fragment:
    """The supplier's JSON as an answer writes it. Remembered, because the rates of a search share policies."""
    return orjson.Fragment(render(json.loads(policy)))


def quoted_rate_json(quoted: QuotedRate, now: datetime) -> dict[str, object]:
    steps = OfferSteps(since=quoted.searched_at, now=now)
    begins_at = stayed(quoted.hotel, quoted.check_in, quoted.check_out).begins_at
    rate = rate_json(quoted.rate, quoted.id, quoted.markup_bp, steps, begins_at)
    del rate["rooms"]  # which come with those of the stay
    return {
        **rate,
        "hotel": hotel_json(quoted.hotel),
        **stay_json(quoted.check_in, quoted.check_out, quoted.rooms, quoted.rate.rooms),
    }


def stay_json(check_in: date, check_out: date, rooms: tuple[Room, ...], shown: str) -> dict[str, object]:
    """Each room of the search with what it is (`shown`), as far as that is known."""
    kinds = orjson.loads(shown)
    kinds += [NO_KIND] * (len(rooms) - len(kinds))
    return {
        "checkIn": check_in.isoformat(),
        "checkOut": check_out.isoformat(),
        "rooms": [
            {"adults": room.adults, "childrenAges": list(room.children_ages), **kind}
            for room, kind in zip(rooms, kinds, strict=False)
        ],
    }


def board_json(board: Board) -> dict[str, object]:
    return {"code": board.code, "name": board.name}


def charge_json(charge: LocalCharge) -> dict[str, object]:
    return {
        "description": charge.description,
        "amountCents": charge.amount_cents,
        "currency": charge.currency,
    }


def stay_booking_json(booking: Booking) -> dict[str, object]:
    details = StayDetails.of(booking)
    begins_at = stayed(details.hotel, details.check_in, details.check_out).begins_at
    own = {
        "rateId": details.rate_id,
        "hotel": hotel_json(details.hotel),
        "room": {
            "roomName": details.room_name,
            "board": board_json(details.board),
            "refundable": details.refundable,
        },
        **stay_json(details.check_in, details.check_out, details.rooms, details.shown_rooms),
        "guests": [guest_json(guest) for guest in details.guests],
        "contact": {"email": details.email, "phone": details.phone},
        "specialRequests": details.special_requests,
        "confirmationCode": details.confirmation_code,
        "cancellationPolicy": policy_json(details.cancellation_policy),
        "cancellationSteps": steps_of_booking(
            booking,
            stay_steps(details.penalty_steps, begins_at, booking.total_cents, details.given_up_cents),
        ),
        "payAtHotel": [charge_json(charge) for charge in details.pay_at_hotel],
        "remarks": orjson.Fragment(remarks_of(details)),
        "promotions": orjson.Fragment(details.promotions),
        "perks": orjson.Fragment(details.perks),
        "hotelPhone": details.desk.hotel_phone,
        "hotelEmail": details.desk.hotel_email,
        "correction": correction_json(details.correction) if details.correction else None,
        "changes": [change_json(change) for change in details.changes],
        "changeUnderWay": under_way_json(details),
    }
    return booking_json(booking, own)


def change_json(change: StayChange) -> dict[str, object]:
    return {
        "changeId": change.change_id,
        "differenceCents": change.difference_cents,
        "penaltyCents": change.penalty_cents,
        "currency": change.currency,
        "settled": change.settled,
        "settledAt": rfc3339(change.settled_at) if change.settled_at else None,
        "createdAt": rfc3339(change.created_at),
    }


def under_way_json(details: StayDetails) -> dict[str, object] | None:
    change = details.change_under_way
    return None if change is None else {"changeId": change.change_id, "startedAt": rfc3339(change.started_at)}


def changed_json(booking: Booking, change_id: str) -> dict[str, object]:
    """The booking after a confirmed change. `settled: false` means that the money moves shortly, not that the call failed."""
    change = next(one for one in StayDetails.of(booking).changes if one.change_id == change_id)
    return {**stay_booking_json(booking), "settled": change.settled}


def change_options_json(booking: Booking, found: FoundChanges) -> dict[str, object]:
    steps = OfferSteps(since=found.found_at, now=found.found_at)
    ids = handles("change", found.search_id, range(len(found.rates)))
    return {
        "bookingId": booking.id,
        "options": [
            change_option_json(found, rate, change_id, steps)
            for rate, change_id in zip(found.rates, ids, strict=True)
        ],
        "withheld": withheld_json(found.withheld),
    }


def change_option_json(
    found: FoundChanges, rate: Rate, change_id: str, steps: OfferSteps
) -> dict[str, object]:
    assert rate.expires_at is not None
    terms = stay_steps(rate.penalty_steps, found.begins_at, rate.total_cents)
    return {
        "changeId": change_id,
        **stay_json(found.stay.check_in, found.stay.check_out, found.stay.rooms, rate.rooms),
        "roomName": rate.room_name,
        "board": board_json(rate.board),
        "refundable": rate.refundable,
        "totalCents": rate.total_cents,
        "currency": rate.currency,
        "penaltyCents": found.penalty_cents,
        "differenceCents": rate.total_cents + found.penalty_cents - found.paid_cents,
        "cancellationPolicy": policy_json(rate.cancellation_policy),
        "cancellationSteps": steps.json(terms, rate.total_cents, rate.currency),
        "payAtHotel": [charge_json(charge) for charge in rate.pay_at_hotel],
        "expiresAt": rfc3339(rate.expires_at),
    }


def guest_json(guest: Guest) -> dict[str, object]:
    return {"firstName": guest.first_name, "lastName": guest.last_name, "type": guest.type, "age": guest.age}


def remarks_of(details: StayDetails) -> str:
    """Those of the rate, then those of the booking, each text once; not the guests' own wish, which a supplier may repeat."""
    if details.desk.remarks == NOTHING:
        return details.remarks
    once: dict[str, Remark] = {}
    for remark in (*remarks_in(details.remarks), *remarks_in(details.desk.remarks)):
        if remark.text != details.special_requests:
            once.setdefault(remark.text, remark)
    return text_of(once.values())


def correction_json(asked: GuestCorrection) -> dict[str, object]:
    return {
        "status": asked.status,
        "guest": asked.guest,
        "firstName": asked.first_name,
        "lastName": asked.last_name,
        "requestedAt": rfc3339(asked.requested_at),
        "decidedAt": rfc3339(asked.decided_at) if asked.decided_at else None,
    }
