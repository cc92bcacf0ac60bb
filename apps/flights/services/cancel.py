"""POST /v1/flights/orders/{id}/cancel: the airline's quote first, then the cancellation, then the refund."""

from dataclasses import replace

from apps.bookings.models import Booking, Operation, OperationKind
from apps.bookings.services.cancel import cancelled, of_what_was_paid, refuse_dear_penalty
from apps.bookings.work import Outcome, Prepared
from apps.flights.services.airline_changes import follow_airline
from apps.flights.services.works import FlightWork
from apps.flights.suppliers.base import Cancellation
from apps.flights.suppliers.registry import flight_supplier
from apps.suppliers.codec import from_json, to_json

WHOLE = 2**62
"""A refund of all that was paid by the time it is written down: a change may just have been, since the booking was read."""


class CancelFlight(FlightWork):
    """The operation that cancels an order; a non-refundable one costs its whole price."""

    kind = OperationKind.CANCEL

    def prepare(self, operation: Operation) -> Prepared:
        """What cancelling costs now. Raises Conflict above maxPenaltyCents."""
        booking = operation.booking
        quote = borne(booking, self.supplier(operation).quote_cancellation(booking.supplier_reference))
        refuse_dear_penalty(operation, quote.penalty_cents)
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
        """What the supplier says that it cost; nothing where it does not say: an airline that cancels returns the whole price.

        Of an order that stands, what the airline has changed by itself is kept.
        """
        order = flight_supplier(
            booking.environment, exchange=booking.exchange, named=booking.supplier_name
        ).read_order(booking.supplier_reference)
        if order.cancelled:
            return order.cancellation or Cancellation(0, WHOLE, booking.currency, {})
        follow_airline(booking, order)
        return None

    def outcome(self, operation: Operation, result: Cancellation) -> Outcome:
        penalty_cents = borne(operation.booking, result).penalty_cents
        return cancelled(operation, penalty_cents=penalty_cents, details=operation.booking.details)

    @staticmethod
    def quote(operation: Operation) -> Cancellation:
        """As it was kept before the supplier was asked to cancel."""
        return from_json(Cancellation, operation.prepared["quote"])


def borne(booking: Booking, cost: Cancellation) -> Cancellation:
    """What cancelling costs the partner, whose total need not be the airline's, whoever cancels and wherever.

    Where the airline took more for the order than the partner paid, the fare's penalty is all that the partner bears: what was
    taken beyond that was our loss, and stays with us as it comes back. Where its total is less, for it leaves out what a change
    cost in fees, no more goes back than comes back.
    """
    penalty = of_what_was_paid(booking, max(cost.penalty_cents, booking.total_cents - cost.refund_cents))
    return replace(cost, penalty_cents=penalty, refund_cents=booking.total_cents - penalty)
