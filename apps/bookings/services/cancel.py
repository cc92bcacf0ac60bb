"""Cancellation, the same for every product: first at the supplier, then the money, once (reliability M7)."""

from collections.abc import Mapping
from typing import Any

from apps.bookings.handlers import Outcome, cancel_handler_for
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.bookings.services.reserve import reserve_modification
from apps.bookings.services.resume import carry_out
from apps.bookings.trade_rules import refuse_over
from apps.common import clock
from apps.common.errors import Conflict
from apps.gateway.call import Caller
from apps.webhooks.services.emit import Fact

STANDING = frozenset({"confirmed", "ticketed", "provisioned"})


def cancel_booking(
    *, caller: Caller, booking: Booking, reason: str | None, max_penalty_cents: int | None
) -> Booking:
    """Cancel what stands. Raises Conflict when it does not, is over, or costs more than `max_penalty_cents` now."""

    def begin() -> Operation:
        refuse_unless_cancellable(booking)
        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.CANCEL,
            request={"reason": reason, "maxPenaltyCents": max_penalty_cents},
            amount_cents=0,
            refuse=refuse_unless_cancellable,
        )

    return carry_out(caller=caller, begin=begin)


def refuse_unless_standing(booking: Booking) -> None:
    """Raises Conflict (409) for a booking that is pending, cancelled or failed."""
    if booking.status not in STANDING:
        raise Conflict(f"The booking is {booking.status}.", ours=True)


def refuse_unless_cancellable(booking: Booking) -> None:
    """Raises Conflict for a booking that does not stand, that no call can cancel, or whose service is over."""
    refuse_unless_standing(booking)
    handler = cancel_handler_for(booking)
    if handler is None or booking.product == Product.ESIM:
        raise Conflict("An eSIM order cannot be cancelled by a call.", ours=True)
    refuse_over(handler.service(booking), booking.now())


def refuse_dear_penalty(operation: Operation, penalty_cents: int) -> None:
    """Raises Conflict (409) when cancelling costs more than the partner allows. Nothing was cancelled."""
    allowed = operation.request.get("maxPenaltyCents")
    penalty_cents = of_what_was_paid(operation.booking, penalty_cents)
    if allowed is not None and penalty_cents > allowed:
        raise Conflict(
            "Cancelling costs more than maxPenaltyCents; nothing was cancelled.",
            ours=True,
            penaltyCents=penalty_cents,
            currency=operation.booking.currency,
        )


def of_what_was_paid(booking: Booking, penalty_cents: int) -> int:
    """The penalty that the partner pays: at most what was paid. The supplier may have charged us more for the booking, and then
    keeps more.
    """
    return min(penalty_cents, booking.total_cents)


def cancelled(
    operation: Operation, *, penalty_cents: int, details: Mapping[str, Any], **money: Any
) -> Outcome:
    """The outcome of a cancellation: the penalty, the refund, and the events."""
    booking = operation.booking
    penalty_cents = of_what_was_paid(booking, penalty_cents)
    refund_cents = booking.total_cents - penalty_cents
    refunded = {"refundCents": refund_cents, "currency": booking.currency}
    events = [Fact("booking.cancelled", {"refunded": refund_cents > 0, **refunded})]
    if refund_cents > 0:
        events.append(Fact("payment.refunded", refunded))
    return Outcome(
        status=Booking.CANCELLED,
        details=details,
        total_cents=booking.total_cents,
        supplier_reference=booking.supplier_reference,
        cancellation={
            "cancelledAt": clock.rfc3339(booking.now()),
            "penaltyCents": penalty_cents,
            "refundCents": refund_cents,
            "currency": booking.currency,
            "reason": operation.request.get("reason"),
        },
        events=tuple(events),
        **(money or {"refund_cents": refund_cents}),
    )
