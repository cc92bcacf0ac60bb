"""POST /v1/hotels/bookings: the booking of a rate, through the common booking flow."""

from dataclasses import dataclass

from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.bookings.refusals import refuse_above, refuse_dearer
from apps.bookings.services.perform import Render
from apps.bookings.services.reserve import NewBooking, reserve_booking
from apps.bookings.services.resume import carry_out
from apps.bookings.work import Outcome, Prepared, unless_undone
from apps.common.clock import day_after
from apps.gateway.call import Caller
from apps.gateway.errors import InvalidRequest
from apps.hotels.details import StayDetails
from apps.hotels.selectors import QuotedRate, quoted_rate
from apps.hotels.services.works import HotelWork
from apps.hotels.suppliers.base import Guest, Rate, Room, Stay, StayRequest
from apps.suppliers.codec import from_json, to_json
from apps.suppliers.currency.exchange import kept_with
from apps.webhooks.services.emit import Fact


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
    render: Render,
) -> Booking:
    """Book a rate. Raises OfferExpired, InvalidRequest (guests), PriceChanged, InsufficientFunds, Conflict, 502, 503."""

    def begin() -> Operation:
        quoted = quoted_rate(caller.partner, rate_id)
        refuse_other_guests(quoted.rooms, party.guests)
        total, currency = quoted.rate.total_cents, quoted.rate.currency
        caller.trigger.refuse_handle()
        caller.trigger.refuse_payment(total_cents=total, currency=currency)
        refuse_above(max_total_cents, quoted_cents=total, currency=currency)
        new = NewBooking(
            product=Product.HOTEL,
            total_cents=total,
            currency=currency,
            supplier_name=quoted.supplier_name,
            exchange=kept_with(quoted.rate.supplier_data),
            external_reference=external_reference,
            details=to_json(new_details(quoted, party)),
            request={"rate": to_json(quoted.rate), "maxTotalCents": max_total_cents},
        )
        return reserve_booking(caller=caller, new=new)

    return carry_out(caller=caller, begin=begin, render=render)


def refuse_other_guests(rooms: tuple[Room, ...], guests: tuple[Guest, ...]) -> None:
    """400 unless every room has an adult, and no more adults or children come than were searched for."""
    adults = sum(guest.type == "adult" for guest in guests)
    children = len(guests) - adults
    most_adults = sum(room.adults for room in rooms)
    most_children = sum(len(room.children_ages) for room in rooms)
    if adults < len(rooms):
        raise InvalidRequest.field(
            "guests", f"each of the {len(rooms)} rooms needs an adult, the booking names {adults}"
        )
    if adults > most_adults or children > most_children:
        raise InvalidRequest.field(
            "guests",
            f"the rate is for {most_adults} adults and {most_children} children at most, "
            f"the booking names {adults} and {children}",
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
    )


class BookStay(HotelWork):
    """The operation that books a rate."""

    kind = OperationKind.BOOK

    def prepare(self, operation: Operation) -> Prepared:
        """The hotel's price now. Raises PriceChanged when it is above the quote and above what the partner allows."""
        rate = from_json(Rate, operation.request["rate"])
        current = self.supplier(operation).check_rate(rate)
        refuse_dearer(
            current.total_cents,
            quoted_cents=rate.total_cents,
            max_total_cents=operation.request.get("maxTotalCents"),
        )
        return Prepared(current.total_cents, {"rate": to_json(current)})

    def call(self, operation: Operation, trouble: str) -> Stay:
        details = StayDetails.of(operation.booking)
        request = StayRequest(
            client_ref=operation.client_ref,
            rate=self.rate(operation),
            guests=details.guests,
            email=details.email,
            phone=details.phone,
            special_requests=details.special_requests,
        )
        return self.supplier(operation, trouble).book(request)

    def find(self, operation: Operation) -> Stay | None:
        stay = self.supplier(operation).find_booking(operation.client_ref, self.rate(operation))
        return unless_undone(stay, lambda stay: (stay.penalty_cents or 0) if stay.cancelled else None)

    def outcome(self, operation: Operation, result: Stay) -> Outcome:
        """The partner never pays more than was held, whatever the hotel says that it took."""
        total = min(result.total_cents, operation.amount_cents)
        return Outcome(
            status="confirmed",
            details=to_json(StayDetails.of(operation.booking).confirmed(result)),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_cents=total,
            watched_until=day_after(StayDetails.of(operation.booking).check_out),
            events=(
                Fact(
                    "booking.confirmed",
                    {"totalCents": total, "currency": operation.booking.currency},
                ),
            ),
        )

    @staticmethod
    def rate(operation: Operation) -> Rate:
        """As it was checked and kept before it was booked."""
        return from_json(Rate, operation.prepared["rate"])
