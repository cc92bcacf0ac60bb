"""POST /v1/flights/orders/{id}/cancel: the airline's quote first, then the cancellation, then the refund."""

from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.services.cancel import cancelled, refuse_dear_penalty
from apps.bookings.work import Outcome, Prepared
from apps.flights.services.works import FlightWork
from apps.flights.suppliers.base import Cancellation
from apps.flights.suppliers.registry import flight_supplier
from apps.suppliers.codec import from_json, to_json


class CancelFlight(FlightWork):
    """The operation that cancels an order; a non-refundable one costs its whole price."""

    kind = OperationKind.CANCEL

    def prepare(self, operation: Operation) -> Prepared:
        """What cancelling costs now. Raises Conflict above maxPenaltyCents."""
        quote = self.supplier(operation).quote_cancellation(operation.booking.supplier_reference)
        refuse_dear_penalty(operation, of_what_was_paid(operation, quote))
        return Prepared(0, {"quote": to_json(quote)})

    def call(self, operation: Operation, trouble: str) -> Cancellation:
        return self.supplier(operation, trouble).cancel(
            operation.client_ref,
            operation.booking.supplier_reference,
            self.quote(operation),
        )

    def find(self, operation: Operation) -> Cancellation | None:
        return self.supplier(operation).find_cancellation(
            operation.client_ref, operation.booking.supplier_reference, self.quote(operation)
        )

    def withdrawn(self, booking: Booking) -> Cancellation | None:
        """An airline that cancels returns the whole price."""
        order = flight_supplier(
            booking.environment, exchange=booking.exchange, named=booking.supplier_name
        ).read_order(booking.supplier_reference)
        return Cancellation(0, booking.total_cents, booking.currency, {}) if order.cancelled else None

    def outcome(self, operation: Operation, result: Cancellation) -> Outcome:
        penalty = of_what_was_paid(operation, result)
        return cancelled(operation, penalty_cents=penalty, details=operation.booking.details)

    @staticmethod
    def quote(operation: Operation) -> Cancellation:
        """As it was kept before the supplier was asked to cancel."""
        return from_json(Cancellation, operation.prepared["quote"])


def of_what_was_paid(operation: Operation, cancellation: Cancellation) -> int:
    """The penalty. The airline may have taken more for the order than the partner paid, and then keeps more."""
    return min(cancellation.penalty_cents, operation.booking.total_cents)
