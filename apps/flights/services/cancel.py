"""POST /v1/flights/orders/{id}/cancel: the airline's quote first, then the cancellation, then the refund."""

from dataclasses import replace
from datetime import datetime

from apps.bookings.handlers import Outcome, QuotedCancelHandler, of_what_was_paid, tell_of_full_credit
from apps.bookings.models import Booking, Operation
from apps.bookings.trade_rules import Service
from apps.flights.details import OrderDetails
from apps.flights.rules import flown
from apps.flights.services.airline_changes import follow_airline
from apps.flights.services.book import FlightHandler
from apps.flights.services.hold import as_lapsed, ended_on_hold
from apps.flights.suppliers.base import LAPSED, Cancellation, FlightSupplier

WHOLE = 2**62
"""Stands for a refund of the whole price, as it is when the refund is written: a change may be paid until then."""


class CancelFlight(FlightHandler, QuotedCancelHandler[FlightSupplier, Cancellation]):
    """The operation that cancels an order; a non-refundable one costs its whole price."""

    quote_type = Cancellation

    def ask_quote(self, booking: Booking) -> Cancellation:
        return borne(booking, super().ask_quote(booking))

    def cancelled_by_supplier(self, booking: Booking) -> Cancellation | None:
        """What the supplier says that it cost. Where it does not say, or in another currency than the booking's, nothing: an
        airline that cancels returns the whole price.

        Of an order that stands, what the airline has changed by itself is stored.
        """
        if booking.status == Booking.ON_HOLD:
            return ended_on_hold(booking, self.supplier_of(booking))
        order = self.supplier_of(booking).read_order(booking.supplier_reference)
        if order.cancelled:
            cost = order.cancellation
            is_told = cost is not None and cost.currency == booking.currency
            return cost if is_told else credited_in_full(booking)
        follow_airline(booking, order)
        return None

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        """The next departure, or the end of the journey once there is none: between two flights there may be weeks."""
        details = OrderDetails.of(booking)
        departures = [flown.leg.departure_at for flown in details.slices]
        return min((at for at in departures if at > now), default=details.ends_at)

    def service(self, booking: Booking) -> Service:
        return flown(known.leg for known in OrderDetails.of(booking).slices)

    def penalty_of(self, operation: Operation, result: Cancellation) -> int:
        return super().penalty_of(operation, borne(operation.booking, result))

    def outcome(self, operation: Operation, result: Cancellation) -> Outcome:
        outcome = super().outcome(operation, result)
        return as_lapsed(operation.booking, outcome) if LAPSED in result.supplier_data else outcome


def credited_in_full(booking: Booking) -> Cancellation:
    """What a cancellation costs that nobody tells the cost of."""
    tell_of_full_credit(booking, booking.supplier_reference)
    return Cancellation(0, WHOLE, booking.currency, {})


def borne(booking: Booking, cost: Cancellation) -> Cancellation:
    """What cancelling costs the partner. The partner's total need not be the airline's.

    Where the airline took more for the order than the partner paid, the partner bears the fare's penalty at most: what was taken
    beyond that was our loss, and we keep it when it comes back. Where the airline's total is less, because it leaves out what a
    change cost in fees, no more is refunded than comes back. An order on hold costs nothing.
    """
    penalty = of_what_was_paid(booking, max(cost.penalty_cents, booking.total_cents - cost.refund_cents))
    return replace(cost, penalty_cents=penalty, refund_cents=booking.paid_cents - penalty)
