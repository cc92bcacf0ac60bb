"""Cancellation, the same for every product: first at the supplier, then the money, once (reliability M7)."""

from typing import Any

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.bookings.flow.approval import withdraw
from apps.bookings.flow.claim import begun_by, carry_out
from apps.bookings.flow.members import for_member
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import QUOTE, QUOTED_PENALTY, cancel_handler_for
from apps.bookings.models import Booking, CancellationQuote, Operation, OperationKind, Product
from apps.bookings.trade_rules import refuse_over
from apps.common.errors import Conflict, OfferExpired
from apps.gateway.requests import Caller
from apps.keys.partner import Partner

REASON = "Cancelled in the portal."
QUOTE_ID = "cancellationQuoteId"
PAID = "paidCents"
"""The entry of a stored quote that has what was paid for the booking at that time, beside the supplier's own quote."""
OPERATIONS = {
    Product.HOTEL: "cancelHotelBooking",
    Product.FLIGHT: "cancelFlightOrder",
    Product.TRANSFER: "cancelTransferOrder",
}


def cancel_booking(
    *,
    caller: Caller,
    booking: Booking,
    reason: str | None = None,
    max_penalty_cents: int | None = None,
    quote_id: str | None = None,
    **more: object,
) -> Booking:
    """Cancel what stands; what awaits approval has failed then. Raises Conflict when it does not stand, is over, or costs more
    than `max_penalty_cents` or the quote now; OfferExpired for a quote that is not the booking's newest, or too old. `more` is
    what the product's handler looks at.
    """

    def begin() -> Operation:
        refuse_unless_cancellable(booking)
        quote = None if quote_id is None else quote_of(booking, quote_id)

        def refuse_now(locked: Booking) -> None:
            refuse_unless_cancellable(locked)
            if quote is not None:
                refuse_other_sum(locked, quote)

        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.CANCEL,
            request={
                "reason": reason,
                "maxPenaltyCents": max_penalty_cents,
                **({} if quote is None else terms_of(quote)),
                **more,
            },
            amount_cents=0,
            refuse=refuse_now,
        )

    if booking.is_awaiting_approval and begun_by(caller) is None:
        if quote_id is not None:
            quote_of(booking, quote_id)
        booking = withdraw(caller=caller, booking=booking)
        if booking.status == Booking.FAILED:
            return booking
    return carry_out(caller=caller, begin=begin)


def quote_of(booking: Booking, quote_id: str) -> CancellationQuote:
    """Raises OfferExpired (410) for any but the booking's newest one in its time."""
    found = CancellationQuote.objects.filter(booking=booking, quote_id=quote_id).first()
    if found is None or found.expires_at <= booking.now():
        raise quote_expired()
    refuse_other_sum(booking, found)
    return found


def refuse_other_sum(booking: Booking, quote: CancellationQuote) -> None:
    """Raises OfferExpired where another sum is paid by now than at the quote: the order was changed, added to or paid."""
    if quote.quote[PAID] != booking.paid_cents:
        raise quote_expired()


def quote_expired() -> OfferExpired:
    return OfferExpired(
        "The cancellation quote is unknown, expired, or from before a change of the booking; request a new one.",
        ours=True,
    )


def terms_of(quote: CancellationQuote) -> dict[str, object]:
    """What a quote adds to the request of the operation."""
    return {QUOTE_ID: quote.quote_id, QUOTED_PENALTY: quote.penalty_cents, QUOTE: quote.quote[QUOTE]}


def refuse_unless_standing(booking: Booking) -> None:
    """Raises Conflict (409) for a booking that is pending, cancelled or failed."""
    if booking.status not in Booking.STANDING:
        raise Conflict(f"The booking is {booking.status}.", ours=True)


def refuse_unless_cancellable(booking: Booking) -> None:
    """Raises Conflict for a booking that does not stand, that no call can cancel, or whose service is over."""
    refuse_unless_standing(booking)
    handler = cancel_handler_for(booking)
    if handler is None or booking.product == Product.ESIM:
        raise Conflict("An eSIM order cannot be cancelled by a call.", ours=True)
    refuse_over(handler.service(booking), booking.now())


def refuse_unless_member_may(booking: Booking) -> None:
    if not booking.is_awaiting_approval:
        refuse_unless_cancellable(booking)


def cancel_for_member(
    *,
    partner: Partner,
    booking: Booking,
    actor: Actor,
    max_penalty_cents: int,
    key: str,
    accept_airline_credit: bool = False,
) -> Booking:
    """Cancel what stands, if it costs no more than `max_penalty_cents` (minor units of the booking's currency), and return it.

    Raises what `for_member` raises, and Conflict where the booking does not stand, cannot be cancelled, costs more, or would be
    refunded into the airline's credit without `accept_airline_credit`.
    """
    # A member always says it: no setting may decide for a page that asked.
    is_flight = booking.product == Product.FLIGHT
    more: dict[str, Any] = {"acceptAirlineCredit": accept_airline_credit} if is_flight else {}
    return for_member(
        partner=partner,
        booking=booking,
        actor=actor,
        key=key,
        operation=OPERATIONS.get(Product(booking.product), ""),
        action=AuditAction.BOOKING_CANCELLED,
        limit={"maxPenaltyCents": max_penalty_cents, **more},
        refuse=refuse_unless_member_may,
        act=lambda caller: cancel_booking(
            caller=caller, booking=booking, reason=REASON, max_penalty_cents=max_penalty_cents, **more
        ),
    )
