"""POST /v1/hotels/bookings/{id}/change-options: the same hotel for other dates or rooms, priced. Nothing moves."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from apps.bookings.handlers import cancel_handler_for
from apps.bookings.models import Booking
from apps.bookings.refusals import translated
from apps.bookings.trade_rules import partner_penalty, quoted_until
from apps.common.errors import Conflict, InvalidRequest, OfferExpired
from apps.common.ids import new_id, parse_handle
from apps.gateway.declared import counted
from apps.gateway.requests import Caller
from apps.hotels.details import StayDetails
from apps.hotels.models import HotelChangeSearch
from apps.hotels.rules import MAX_NIGHTS, stayed, with_ages
from apps.hotels.suppliers.base import Cancellation, ChangeSearch, HotelSupplier, Rate, Room
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.errors import Rejected
from apps.suppliers.http import all_within
from apps.suppliers.results import Found, Withheld
from apps.suppliers.values import from_json, replaced, to_json


@dataclass(frozen=True, slots=True)
class FoundChanges:
    """The options, the cheapest first. `penalty_cents` is what giving up the stay of now costs."""

    search_id: str
    stay: ChangeSearch
    penalty_cents: int
    paid_cents: int
    rates: list[Rate]
    withheld: Withheld
    begins_at: datetime
    found_at: datetime


@dataclass(frozen=True, slots=True)
class QuotedStay:
    """A change option of a booking. Its handle is `id`."""

    id: str
    stay: ChangeSearch
    rate: Rate
    penalty_cents: int


def find_change_options(
    *,
    caller: Caller,
    booking: Booking,
    check_in: date | None = None,
    check_out: date | None = None,
    rooms: tuple[Room, ...] | None = None,
) -> FoundChanges:
    """What is left out stays as it is. Raises InvalidRequest for a stay that is past, too long, too small for the guests, or the
    one that is booked; Conflict for a booking that cannot be changed; 502 and 503.
    """
    refuse_unless_changeable(booking)
    details, now = StayDetails.of(booking), booking.now()
    stay = ChangeSearch(
        supplier_reference=booking.supplier_reference,
        hotel_id=details.hotel.hotel_id,
        currency=booking.currency,
        check_in=check_in or details.check_in,
        check_out=check_out or details.check_out,
        rooms=details.rooms if rooms is None else rooms,
    )
    given = {"checkIn": check_in, "checkOut": check_out, "rooms": rooms}
    refuse_bad_stay(details, stay, [name for name, value in given.items() if value is not None], now)
    service = stayed(details.hotel, stay.check_in, stay.check_out)
    with translated(), all_within(settings.SUPPLIER_CALL_SECONDS):
        supplier = hotel_supplier(
            booking.environment, caller.trigger.at_supplier(), booking.exchange, named=booking.supplier_name
        )
        _, penalty = cost_of_giving_up(booking, supplier)
        offered = supplier.change_options(stay)
    handler = cancel_handler_for(booking)
    assert handler is not None
    ours = now + timedelta(minutes=settings.OFFER_MINUTES)
    ends = min(ours, handler.next_step(booking, now))
    priced = [rate for rate in offered if rate.currency == booking.currency]
    withheld = offered.withheld + Withheld(unsupported=len(offered) - len(priced))
    sold = Found(
        (replaced(rate, expires_at=quoted_until(rate.expires_at, ends, service)) for rate in priced), withheld
    ).still_sold(lambda rate: rate.expires_at is not None and rate.expires_at <= now)
    rates = sorted(sold, key=lambda rate: rate.total_cents)
    search = HotelChangeSearch.objects.create(
        id=new_id("hcs"),
        booking=booking,
        stay=to_json(stay),
        penalty_cents=penalty,
        options=to_json(rates),
        created_at=now,
        expires_at=ours,
    )
    paid = paid_for_stay(booking)
    return FoundChanges(search.id, stay, penalty, paid, rates, sold.withheld, service.begins_at, now)


def quoted_stay(booking: Booking, change_id: str) -> QuotedStay:
    """Raises OfferExpired for a changeId that is unknown, of another booking, of another stay than it has now, or too old."""
    place = parse_handle(change_id, "change", "hcs")
    if place is None:
        raise OfferExpired.of_change()
    now = booking.now()
    search = HotelChangeSearch.objects.filter(pk=place[0], booking=booking, expires_at__gt=now).first()
    if search is None or place[1] >= len(search.options):
        raise OfferExpired.of_change()
    stay, rate = from_json(ChangeSearch, search.stay), from_json(Rate, search.options[place[1]])
    if rate.expires_at is not None and rate.expires_at <= now:
        raise OfferExpired.of_change()
    if stay.supplier_reference != booking.supplier_reference:
        raise OfferExpired.of_change()
    return QuotedStay(change_id, stay, rate, search.penalty_cents)


def refuse_unless_changeable(booking: Booking) -> None:
    """Raises Conflict (409) unless the booking stands, is refundable, has not begun and is not being changed or corrected."""
    if booking.status != "confirmed":
        raise Conflict(f"The booking is {booking.status}, not confirmed.", ours=True)
    details = StayDetails.of(booking)
    if not details.refundable:
        raise Conflict("A non-refundable booking cannot be changed.", ours=True)
    if stayed(details.hotel, details.check_in, details.check_out).has_begun(booking.now()):
        raise Conflict("The stay has begun; it can no longer be changed.", ours=True)
    if details.change_under_way is not None:
        raise Conflict("Another operation on this booking is in progress.", ours=True, bookingId=booking.id)
    if details.correction is not None and details.correction.is_open:
        raise Conflict(
            "A correction of this booking is not decided yet: the new stay would lack it.", ours=True
        )


def refuse_bad_stay(details: StayDetails, stay: ChangeSearch, given: list[str], now: datetime) -> None:
    """Raises InvalidRequest (400) at a field that was `given`."""
    out_field = "checkOut" if "checkOut" in given else "checkIn"
    nights = (stay.check_out - stay.check_in).days
    if nights < 1:
        words = (
            "must be after checkIn" if out_field == "checkOut" else "must be before the booking's checkOut"
        )
        raise InvalidRequest.field(out_field, words)
    if nights > MAX_NIGHTS:
        raise InvalidRequest.field(out_field, f"must make at most {MAX_NIGHTS} nights, and not {nights}")
    if "checkIn" in given and now >= stayed(details.hotel, stay.check_in, stay.check_out).sold_until:
        raise InvalidRequest.field("checkIn", "must not be in the past, by the hotel's own date")
    if "rooms" in given:
        refuse_other_rooms(stay.rooms, details)
    same_dates = (stay.check_in, stay.check_out) == (details.check_in, details.check_out)
    if same_dates and by_room(stay.rooms) == by_room(details.rooms):
        raise InvalidRequest.field(given[0], "must differ from what is booked")


def refuse_other_rooms(rooms: tuple[Room, ...], details: StayDetails) -> None:
    """Raises InvalidRequest (400) unless every guest of the booking has a place, as at a booking."""
    adults = sum(guest.type == "adult" for guest in details.guests)
    children = len(details.guests) - adults
    places = sum(room.adults for room in rooms), sum(len(room.children_ages) for room in rooms)
    if adults < len(rooms) or adults > places[0] or children > places[1]:
        raise InvalidRequest.field(
            "rooms",
            "must have an adult of the booking in each room, and a place for each of its guests: "
            f"{counted(adults, 'adult')} and {counted(children, 'child')}",
        )
    try:
        with_ages(rooms, details.guests)
    except InvalidRequest as error:
        ages = ", ".join(str(guest.age) for guest in details.guests if guest.age is not None)
        raise InvalidRequest.field("rooms", f"must have the booking's children in them: {ages}") from error


def by_room(rooms: tuple[Room, ...]) -> list[tuple[int, list[int]]]:
    """The same for the same rooms in another order."""
    return sorted((room.adults, sorted(room.children_ages)) for room in rooms)


def cost_of_giving_up(booking: Booking, supplier: HotelSupplier) -> tuple[Cancellation, int]:
    """The supplier's quote for cancelling the stay of now, and what the partner pays of it. Raises Rejected for a quote in
    another currency, and what the supplier raises.
    """
    details = StayDetails.of(booking)
    quote = supplier.quote_cancellation(booking.supplier_reference, details.cancellation_policy)
    if quote.currency != booking.currency:
        raise Rejected(f"cancelling costs {quote.currency}, and {booking.currency} was paid")
    service = stayed(details.hotel, details.check_in, details.check_out)
    total = paid_for_stay(booking)
    return quote, partner_penalty(
        service, booking.now(), penalty_cents=quote.penalty_cents, total_cents=total
    )


def paid_for_stay(booking: Booking) -> int:
    """What was paid for the stay of now: the total without what giving up earlier ones has cost."""
    return booking.total_cents - StayDetails.of(booking).given_up_cents


def difference(booking: Booking, *, total_cents: int, penalty_cents: int) -> int:
    """What a change to a stay at `total_cents` adds to the booking's total. Negative: what comes back."""
    return total_cents + penalty_cents - paid_for_stay(booking)
