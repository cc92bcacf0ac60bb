"""What the hotel or its supplier alters of a booking by itself: dates, hotel, room, confirmation number, what it says for the
desk. It is shown then.

Names are compared with what the supplier said before, never with the offer: suppliers name a room otherwise in a rate than in a
booking, and that alters nothing.
"""

from typing import Any

from apps.bookings.flow.polling import Altered, Facts, keep_facts, poll_at_once
from apps.bookings.models import Booking
from apps.common.clock import day_after
from apps.hotels.details import StayDetails
from apps.hotels.suppliers.base import NOTHING, DeskNotes, Hotel, Stay, StayFacts, remarks_in
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.values import replaced, to_json

STREET_UNTOLD = "Not known yet: ask the hotel."


def keep_what_hotel_says(booking: Booking, stay: Stay) -> None:
    """Store what the standing `stay` has otherwise than the booking. What is not said now stays as it is known.

    Nothing of a stay that was read before a change replaced it.
    """
    reference = booking.supplier_reference

    def now(stored: Booking) -> Altered | None:
        return altered(StayDetails.of(stored), stay) if stored.supplier_reference == reference else None

    keep_facts(booking, now)


def altered(details: StayDetails, stay: Stay) -> Altered | None:
    after = with_what_is_said(details, stay)
    if after == details:
        return None
    return Altered(
        to_json(after),
        facts_of(details),
        facts_of(after),
        watched_until=day_after(after.check_out) if after.check_out != details.check_out else None,
        reworded=("remarks",) if has_reworded(details.desk, after.desk) else (),
    )


def has_reworded(before: DeskNotes, after: DeskNotes) -> bool:
    """Whether a remark that was there has other words now, or is gone. One that is new completes the booking."""
    return not set(remarks_in(before.remarks)) <= set(remarks_in(after.remarks))


def with_what_is_said(details: StayDetails, stay: Stay) -> StayDetails:
    now, before = stay.facts, details.said
    said = StayFacts(
        check_in=now.check_in or before.check_in,
        check_out=now.check_out or before.check_out,
        hotel_id=now.hotel_id or before.hotel_id,
        hotel_name=now.hotel_name or before.hotel_name,
        room_name=now.room_name or before.room_name,
    )
    other_room = said.room_name if before.room_name not in (None, said.room_name) else None
    return replaced(
        details,
        check_in=said.check_in or details.check_in,
        check_out=said.check_out or details.check_out,
        hotel=hotel_said(details.hotel, before, said),
        room_name=other_room or details.room_name,
        confirmation_code=stay.confirmation_code or details.confirmation_code,
        said=said,
        desk=DeskNotes(
            remarks=details.desk.remarks if stay.desk.remarks == NOTHING else stay.desk.remarks,
            hotel_phone=stay.desk.hotel_phone or details.desk.hotel_phone,
            hotel_email=stay.desk.hotel_email or details.desk.hotel_email,
        ),
    )


def hotel_said(known: Hotel, before: StayFacts, said: StayFacts) -> Hotel:
    """The hotel; where the guests were moved to another one, only its name and place in the world are known."""
    if said.hotel_id is None or said.hotel_id == known.hotel_id:
        other_name = said.hotel_name if before.hotel_name not in (None, said.hotel_name) else None
        return replaced(known, name=other_name or known.name)
    return Hotel(
        hotel_id=said.hotel_id,
        name=said.hotel_name or known.name,
        stars=0,
        street=STREET_UNTOLD,
        city=known.city,
        country=known.country,
        latitude=known.latitude,
        longitude=known.longitude,
        amenities=(),
    )


def facts_of(details: StayDetails) -> Facts:
    return {
        "checkIn": details.check_in.isoformat(),
        "checkOut": details.check_out.isoformat(),
        "hotel.hotelId": details.hotel.hotel_id,
        "hotel.name": details.hotel.name,
        "room.roomName": details.room_name,
        "confirmationCode": details.confirmation_code,
        "hotelPhone": details.desk.hotel_phone,
        "hotelEmail": details.desk.hotel_email,
        "correction.status": details.correction.status.value if details.correction else None,
    }


def let_hotel_alter(booking: Booking) -> None:
    """As a real one would. The booking is read at once, so that the next answer shows it.

    Only test keys have triggers, so the supplier is the simulator. Raises NotPossible for a booking that no longer stands.
    """
    simulator: Any = hotel_supplier(booking.environment)
    simulator.alter(booking.supplier_reference)
    poll_at_once(booking)
