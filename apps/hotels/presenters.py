"""Hotels on the wire: plain dicts, for no serializer is as quick and sixty rates are many."""

import json
from datetime import date, datetime
from functools import lru_cache

import orjson

from apps.bookings.cancellation_steps import steps_json, steps_of_booking
from apps.bookings.models import Booking
from apps.bookings.presenters import booking_json
from apps.common.clock import rfc3339
from apps.common.money import with_markup
from apps.gateway.envelope import render
from apps.hotels.details import StayDetails
from apps.hotels.selectors import QuotedRate, QuotedSearch, rate_handle
from apps.hotels.suppliers.base import Board, Guest, Hotel, LocalCharge, Rate, Room


def search_json(search: QuotedSearch) -> dict[str, object]:
    """The answer to a search, and its record. From the same row it is the same to the byte, so replays need no copy."""
    created_at = search.created_at
    return {
        "id": search.id,
        "status": "completed",
        "checkIn": search.check_in.isoformat(),
        "checkOut": search.check_out.isoformat(),
        "createdAt": rfc3339(created_at),
        "expiresAt": rfc3339(search.expires_at),
        "hotels": [
            {
                **hotel_json(offer.hotel),
                "rates": [
                    rate_json(
                        rate,
                        rate_handle(search.id, place, position),
                        search.markup_bp,
                        since=created_at,
                        now=created_at,
                    )
                    for position, rate in enumerate(offer.rates)
                ],
            }
            for place, offer in enumerate(search.offers)
        ],
    }


def hotel_json(hotel: Hotel) -> dict[str, object]:
    return {
        "hotelId": hotel.hotel_id,
        "name": hotel.name,
        "stars": hotel.stars,
        "address": {"street": hotel.street, "city": hotel.city, "countryCode": hotel.country},
        "location": {"latitude": float(hotel.latitude), "longitude": float(hotel.longitude)},
        "amenities": list(hotel.amenities),
    }


def rate_json(
    rate: Rate, rate_id: str, markup_bp: int, *, since: datetime, now: datetime
) -> dict[str, object]:
    """`since`: when it was searched for; `now`: the instant of the answer."""
    assert rate.expires_at is not None
    return {
        "rateId": rate_id,
        "roomName": rate.room_name,
        "board": board_json(rate.board),
        "refundable": rate.refundable,
        "totalCents": rate.total_cents,
        "currency": rate.currency,
        "priceBasis": "net",
        "suggestedRetailCents": with_markup(rate.total_cents, markup_bp),
        "cancellationPolicy": policy_json(rate.cancellation_policy),
        "cancellationSteps": steps_json(
            rate.penalty_steps, total_cents=rate.total_cents, currency=rate.currency, since=since, now=now
        ),
        "payAtHotel": [charge_json(charge) for charge in rate.pay_at_hotel],
        "expiresAt": rfc3339(rate.expires_at),
    }


@lru_cache(maxsize=512)
def policy_json(policy: str) -> orjson.Fragment:
    """The supplier's JSON as an answer writes it. Remembered, because the rates of a search share policies."""
    return orjson.Fragment(render(json.loads(policy)))


def quoted_rate_json(quoted: QuotedRate, now: datetime) -> dict[str, object]:
    return {
        **rate_json(quoted.rate, quoted.id, quoted.markup_bp, since=quoted.searched_at, now=now),
        "hotel": hotel_json(quoted.hotel),
        **stay_json(quoted.check_in, quoted.check_out, quoted.rooms),
    }


def stay_json(check_in: date, check_out: date, rooms: tuple[Room, ...]) -> dict[str, object]:
    return {
        "checkIn": check_in.isoformat(),
        "checkOut": check_out.isoformat(),
        "rooms": [{"adults": room.adults, "childrenAges": list(room.children_ages)} for room in rooms],
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
    own = {
        "rateId": details.rate_id,
        "hotel": hotel_json(details.hotel),
        "room": {
            "roomName": details.room_name,
            "board": board_json(details.board),
            "refundable": details.refundable,
        },
        **stay_json(details.check_in, details.check_out, details.rooms),
        "guests": [guest_json(guest) for guest in details.guests],
        "contact": {"email": details.email, "phone": details.phone},
        "specialRequests": details.special_requests,
        "confirmationCode": details.confirmation_code,
        "cancellationPolicy": json.loads(details.cancellation_policy),
        "cancellationSteps": steps_of_booking(booking, details.penalty_steps),
        "payAtHotel": [charge_json(charge) for charge in details.pay_at_hotel],
    }
    return booking_json(booking, own)


def guest_json(guest: Guest) -> dict[str, object]:
    return {
        "firstName": guest.first_name,
        "lastName": guest.last_name,
        "type": guest.type,
        "age": guest.age,
    }
