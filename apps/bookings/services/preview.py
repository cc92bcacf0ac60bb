"""What cancelling a booking would cost now, as its supplier says. Nothing is cancelled, and nothing is written."""

from dataclasses import dataclass

from apps.bookings.handlers import cancel_handler_for
from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.services.cancel import refuse_unless_cancellable
from apps.bookings.services.perform import refusal
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
    refuse_unless_cancellable(booking)
    handler = cancel_handler_for(booking)
    assert handler is not None
    operation = Operation(booking=booking, kind=OperationKind.CANCEL, client_ref=booking.reference)
    try:
        with all_within(MOST_SECONDS):
            penalty = int(handler.prepare(operation).data["penaltyCents"])
    except SupplierError as error:
        raise refusal(error, operation) from error
    return Preview(penalty, booking.total_cents - penalty)
