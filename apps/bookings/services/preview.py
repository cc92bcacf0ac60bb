"""What cancelling a booking would cost now, as its supplier says. Nothing is cancelled, and nothing is written."""

from dataclasses import dataclass

from apps.bookings.handlers import CancelHandler, cancel_handler_for
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.bookings.services.cancel import of_what_was_paid, refuse_unless_standing
from apps.bookings.services.perform import refusal
from apps.common.errors import Conflict
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import all_within

MOST_SECONDS = 40.0
"""The cancellation itself may ask for its price as long as this. A page waits for it."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The two amounts together are what the booking cost."""

    penalty_cents: int
    refund_cents: int


def preview_cancellation(booking: Booking) -> Preview:
    """Raises Conflict for a booking that does not stand or cannot be cancelled, 502 and 503 where the supplier gives no price."""
    handler = refuse_unless_cancellable(booking)
    operation = Operation(booking=booking, kind=OperationKind.CANCEL, client_ref=booking.reference)
    try:
        with all_within(MOST_SECONDS):
            quote = handler.prepare(operation).data["quote"]
    except SupplierError as error:
        raise refusal(error, operation) from error
    penalty = of_what_was_paid(booking, int(quote["penalty_cents"]))
    return Preview(penalty, booking.total_cents - penalty)


def refuse_unless_cancellable(booking: Booking) -> CancelHandler:
    """What cancels it. Raises Conflict for a booking that does not stand, or cannot be cancelled by a call."""
    refuse_unless_standing(booking)
    handler = cancel_handler_for(booking)
    if handler is None or booking.product == Product.ESIM:
        raise Conflict("An eSIM order cannot be cancelled by a call.")
    return handler
