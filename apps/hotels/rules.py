"""When a stay takes place, by the hotel's own clock, and what follows for its sale and its cancellation. Pure."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache

from apps.bookings.trade_rules import Service, lost_from
from apps.common.errors import InvalidRequest
from apps.hotels.suppliers.base import Guest, Hotel, Room
from apps.suppliers.airports import zone_at
from apps.suppliers.results import PenaltyStep, PenaltySteps
from apps.suppliers.values import replaced

MAX_NIGHTS = 30
CHECK_IN = time(15)
CHECK_OUT = time(12)
"""Where the hotel's own times are not known."""


def stayed(hotel: Hotel, check_in: date, check_out: date) -> Service:
    """Sold until the check-in day is over, lost from the check-in on, over at the check-out."""
    place = hotel.latitude, hotel.longitude, hotel.country
    return _stayed(*place, hotel.check_in_from, hotel.check_out_until, check_in, check_out)


@lru_cache(maxsize=4096)
def _stayed(
    latitude: Decimal,
    longitude: Decimal,
    country: str,
    check_in_from: str | None,
    check_out_until: str | None,
    check_in: date,
    check_out: date,
) -> Service:
    """Cached, because a search needs it twice for each of its hotels."""
    arrival, departure = hour_of(check_in_from, CHECK_IN), hour_of(check_out_until, CHECK_OUT)
    zone = zone_at(latitude, longitude, country)

    def at(day: date, hour: time) -> datetime:
        return datetime.combine(day, hour, zone).astimezone(UTC)

    return Service(
        sold_until=at(check_in + timedelta(days=1), time()),
        begins_at=at(check_in, arrival),
        ends_at=at(check_out, departure),
    )


def hour_of(told: str | None, otherwise: time) -> time:
    """`HH:MM` as a hotel has it. One that cannot be read is not known."""
    try:
        return time.fromisoformat(told) if told else otherwise
    except ValueError:
        return otherwise


@lru_cache(maxsize=2048)
def stay_steps(
    told: PenaltySteps | None, begins_at: datetime, total_cents: int, given_up_cents: int = 0
) -> PenaltySteps | None:
    """What cancelling costs by the supplier's terms, and all of it from the check-in on. None where they cannot be read.

    `given_up_cents` are lost already (`StayDetails`).
    """
    if told is None:
        return None
    if given_up_cents:
        later = (PenaltyStep(step.starts_at, step.penalty_cents + given_up_cents) for step in told)
        begun = told and told[0].starts_at is None
        told = (*(() if begun else (PenaltyStep(None, given_up_cents),)), *later)
    return lost_from(begins_at, told, total_cents)


def lead_guest(guests: tuple[Guest, ...]) -> int:
    """The place of the guest in whose name suppliers book: the first adult."""
    return next(place for place, guest in enumerate(guests) if guest.type == "adult")


def with_ages(rooms: tuple[Room, ...], guests: tuple[Guest, ...]) -> tuple[Guest, ...]:
    """The guests, each child with its age: as it was given, or else one that was searched for and that no other child has.

    Raises InvalidRequest (400) for an age that was not searched for, or not so often.
    """
    searched = [age for room in rooms for age in room.children_ages]
    left = list(searched)
    details = []
    for place, guest in enumerate(guests):
        if guest.age is None:
            continue
        if guest.age in left:
            left.remove(guest.age)
        else:
            ages = ", ".join(map(str, sorted(searched)))
            message = f"must be the age of a child that was searched for ({ages}), each once"
            details.append({"field": f"guests.{place}.age", "message": message})
    if details:
        raise InvalidRequest(details=details)
    return tuple(
        replaced(guest, age=left.pop(0)) if guest.type == "child" and guest.age is None else guest
        for guest in guests
    )
