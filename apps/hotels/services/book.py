"""POST /v1/hotels/bookings: the booking of a rate, through the common booking flow."""

from dataclasses import dataclass, replace

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import reserve_quoted
from apps.bookings.handlers import (
    Outcome,
    ProductHandler,
    QuotedBookHandler,
    confirmed_event,
    total_to_pay,
    unless_undone,
)
from apps.bookings.models import Booking, Operation, Product
from apps.bookings.trade_rules import Service
from apps.common.clock import day_after
from apps.common.errors import InvalidRequest
from apps.gateway.declared import counted
from apps.gateway.requests import Caller
from apps.hotels.details import StayDetails
from apps.hotels.rules import stayed, with_ages
from apps.hotels.selectors import QuotedRate, quoted_rate
from apps.hotels.suppliers.base import Guest, HotelSupplier, Rate, Room, Stay, StayRequest
from apps.hotels.suppliers.registry import VENDORS, hotel_supplier
from apps.suppliers.values import to_json


class HotelHandler(ProductHandler[HotelSupplier]):
    product = Product.HOTEL
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> HotelSupplier:
        return hotel_supplier(booking.environment, fault, booking.exchange, named=booking.supplier_name)

    def service(self, booking: Booking) -> Service:
        details = StayDetails.of(booking)
        return stayed(details.hotel, details.check_in, details.check_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Who stays, and how to reach them."""

    guests: tuple[Guest, ...]
    email: str
    phone: str
    special_requests: str | None = None


def book_rate(
    *,
    caller: Caller,
    rate_id: str,
    party: Party,
    external_reference: str | None,
    max_total_cents: int | None,
    trip_reference: str | None = None,
    sold_for_cents: int | None = None,
) -> Booking:
    """Book a rate. Raises OfferExpired, InvalidRequest (guests), PriceChanged, InsufficientFunds, Conflict, 502, 503."""

    def begin() -> Operation:
        quoted = quoted_rate(caller.partner, rate_id)
        refuse_other_guests(quoted.rooms, party.guests)
        details = new_details(quoted, replace(party, guests=with_ages(quoted.rooms, party.guests)))
        operation = reserve_quoted(
            caller=caller,
            product=Product.HOTEL,
            offer=quoted.rate,
            offer_entry=BookStay.offer_entry,
            supplier_name=quoted.supplier_name,
            details=details,
            external_reference=external_reference,
            trip_reference=trip_reference,
            sold_for_cents=sold_for_cents,
            max_total_cents=max_total_cents,
        )
        details.remember(operation.booking)
        return operation

    return carry_out(caller=caller, begin=begin)


def refuse_other_guests(rooms: tuple[Room, ...], guests: tuple[Guest, ...]) -> None:
    """Raises InvalidRequest (400) unless every room has an adult, and no more adults or children come than were searched for."""
    adults = sum(guest.type == "adult" for guest in guests)
    children = len(guests) - adults
    most_adults = sum(room.adults for room in rooms)
    most_children = sum(len(room.children_ages) for room in rooms)
    if adults < len(rooms):
        raise InvalidRequest.field(
            "guests", f"must have an adult for each room: {counted(len(rooms), 'adult')}, and not {adults}"
        )
    if adults > most_adults or children > most_children:
        raise InvalidRequest.field(
            "guests",
            f"must have at most {counted(most_adults, 'adult')} and {counted(most_children, 'child')}, as were searched for, "
            f"and not {adults} and {children}",
        )


def new_details(quoted: QuotedRate, party: Party) -> StayDetails:
    """The booking as it begins: everything as it was quoted."""
    rate = quoted.rate
    return StayDetails(
        rate_id=quoted.id,
        hotel=quoted.hotel,
        room_name=rate.room_name,
        board=rate.board,
        refundable=rate.refundable,
        check_in=quoted.check_in,
        check_out=quoted.check_out,
        rooms=quoted.rooms,
        guests=party.guests,
        email=party.email,
        phone=party.phone,
        special_requests=party.special_requests,
        cancellation_policy=rate.cancellation_policy,
        pay_at_hotel=rate.pay_at_hotel,
        penalty_steps=rate.penalty_steps,
        shown_rooms=rate.rooms,
        remarks=rate.remarks,
        promotions=rate.promotions,
        perks=rate.perks,
    )


class BookStay(HotelHandler, QuotedBookHandler[HotelSupplier, Rate]):
    """The operation that books a rate."""

    offer_type, offer_entry = Rate, "rate"

    def service_of(self, booking: Booking, offer: Rate) -> Service:
        return self.service(booking)

    def price_now(self, operation: Operation, offer: Rate) -> Rate:
        return self.supplier(operation).check_rate(offer)

    def call(self, operation: Operation, fault: str) -> Stay:
        details = StayDetails.of(operation.booking)
        request = StayRequest(
            client_ref=operation.client_ref,
            rate=self.prepared_offer(operation),
            guests=details.guests,
            email=details.email,
            phone=details.phone,
            special_requests=details.special_requests,
        )
        return self.supplier(operation, fault).book(request)

    def find(self, operation: Operation) -> Stay | None:
        stay = self.supplier(operation).find_booking(operation.client_ref, self.prepared_offer(operation))
        return unless_undone(stay, lambda stay: (stay.penalty_cents or 0) if stay.cancelled else None)

    def outcome(self, operation: Operation, result: Stay) -> Outcome:
        total = total_to_pay(operation, result)
        details = StayDetails.of(operation.booking).confirmed(result)
        return Outcome(
            status="confirmed",
            details=to_json(details),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_cents=total,
            watched_until=day_after(details.check_out),
            events=(confirmed_event(operation, total),),
            remember=details.remember,
        )
