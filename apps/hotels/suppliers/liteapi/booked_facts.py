"""What a booking of theirs says of itself, and may say otherwise later. Whatever cannot be read is not said."""

from datetime import MAXYEAR, MINYEAR, date
from typing import Any

from apps.hotels.suppliers.base import StayFacts
from apps.hotels.suppliers.liteapi.texts import text

LONGEST = 255


def facts_said(booking: Any) -> StayFacts:
    hotel = booking.get("hotel")
    hotel = hotel if isinstance(hotel, dict) else {}
    return StayFacts(
        check_in=_day(booking.get("checkin")),
        check_out=_day(booking.get("checkout")),
        hotel_id=_name(hotel.get("hotelId")),
        hotel_name=_name(hotel.get("name")),
        room_name=_room(booking.get("bookedRooms")),
    )


def _day(told: object) -> date | None:
    try:
        day = date.fromisoformat(str(told)[:10])
    except ValueError:
        return None
    # The first and the last day of the calendar are how some systems write "no date".
    return day if MINYEAR < day.year < MAXYEAR else None


def _name(told: object) -> str | None:
    return text(told)[:LONGEST] or None if isinstance(told, str) else None


def _room(rooms: object) -> str | None:
    """The names of the rooms, where each has one."""
    names = []
    for room in rooms if isinstance(rooms, list) else []:
        kind = room.get("roomType") if isinstance(room, dict) else None
        names.append(_name(kind.get("name")) if isinstance(kind, dict) else None)
    return ", ".join(filter(None, names))[:LONGEST] if names and all(names) else None
