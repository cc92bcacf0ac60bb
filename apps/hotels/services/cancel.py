"""POST /v1/hotels/bookings/{id}/cancel: what the policy costs now first, then the cancellation, then the refund."""

from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.services.cancel import cancelled, refuse_dear_penalty
from apps.bookings.work import Outcome, Prepared
from apps.hotels.details import StayDetails
from apps.hotels.services.confirmation import keep_confirmation_code
from apps.hotels.services.works import HotelWork
from apps.hotels.suppliers.base import Cancellation
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.codec import from_json, to_json


class CancelStay(HotelWork):
    """The operation that cancels a booking; a non-refundable one costs its whole price."""

    kind = OperationKind.CANCEL

    def prepare(self, operation: Operation) -> Prepared:
        """What cancelling costs now. Raises Conflict above maxPenaltyCents."""
        quote = self.supplier(operation).quote_cancellation(
            operation.booking.supplier_reference, policy_of(operation)
        )
        refuse_dear_penalty(operation, quote.penalty_cents)
        return Prepared(0, {"quote": to_json(quote)})

    def call(self, operation: Operation, trouble: str) -> Cancellation:
        return self.supplier(operation, trouble).cancel(
            operation.client_ref,
            operation.booking.supplier_reference,
            self.quote(operation),
            policy_of(operation),
        )

    def find(self, operation: Operation) -> Cancellation | None:
        return self.supplier(operation).find_cancellation(
            operation.client_ref, operation.booking.supplier_reference, self.quote(operation)
        )

    def withdrawn(self, booking: Booking) -> Cancellation | None:
        """What the hotel keeps when it cancels is the supplier's word; nothing where it says nothing.

        Of a stay that stands, the hotel's own number is kept, which some give only days after the booking.
        """
        stay = hotel_supplier(
            booking.environment, exchange=booking.exchange, named=booking.supplier_name
        ).read_booking(booking.supplier_reference, StayDetails.of(booking).cancellation_policy)
        if not stay.cancelled:
            keep_confirmation_code(booking, stay.confirmation_code)
            return None
        penalty = min(stay.penalty_cents or 0, booking.total_cents)
        return Cancellation(penalty, booking.total_cents - penalty, booking.currency)

    def outcome(self, operation: Operation, result: Cancellation) -> Outcome:
        return cancelled(operation, penalty_cents=result.penalty_cents, details=operation.booking.details)

    @staticmethod
    def quote(operation: Operation) -> Cancellation:
        """As it was kept before the supplier was asked to cancel."""
        return from_json(Cancellation, operation.prepared["quote"])


def policy_of(operation: Operation) -> str:
    """The terms as the supplier gave them at the booking."""
    return StayDetails.of(operation.booking).cancellation_policy
