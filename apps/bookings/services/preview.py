"""What cancelling a booking would cost now, asked of its supplier; nothing is cancelled, nothing is written."""

from dataclasses import dataclass

from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.bookings.services.cancel import of_what_was_paid, refuse_unless_standing
from apps.bookings.services.perform import refusal
from apps.bookings.work import cancel_work_for
from apps.gateway.errors import Conflict
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import all_within

MOST_SECONDS = 40.0
"""As long as the cancellation itself may ask for its price; a page waits for this."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Together they are what the booking cost."""

    penalty_cents: int
    refund_cents: int


def preview_cancellation(booking: Booking) -> Preview:
    """Raises Conflict for what does not stand or cannot be cancelled, 502 and 503 where the supplier does not say."""
    refuse_unless_standing(booking)
    work = cancel_work_for(booking)
    if work is None or booking.product == Product.ESIM:
        raise Conflict("An eSIM order cannot be cancelled by a call.")
    operation = Operation(booking=booking, kind=OperationKind.CANCEL, client_ref=booking.reference)
    try:
        with all_within(MOST_SECONDS):
            quote = work.prepare(operation).data["quote"]
    except SupplierError as error:
        raise refusal(error, operation) from error
    penalty = of_what_was_paid(booking, int(quote["penalty_cents"]))
    return Preview(penalty, booking.total_cents - penalty)
