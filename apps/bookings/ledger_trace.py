"""What the ledger's entries say of the operation that caused them."""

from apps.bookings.models import Operation
from apps.ledger.trace import Trace


def trace_of(operation: Operation, description: str) -> Trace:
    """The cause of a ledger entry that this operation makes. There is neither key nor request where a member clicked."""
    booking = operation.booking
    return Trace(
        booking_type=booking.product,
        booking_reference=booking.reference,
        key_id=operation.key_id or None,
        request_id=operation.request_id or None,
        operation_id=operation.client_ref,
        description=description,
    )
