"""POST /v1/flights/orders/{id}/cancel: the airline's quote first, then the cancellation, then the refund."""

from dataclasses import replace
from datetime import datetime

from apps.bookings.handlers import (
    CostNow,
    Outcome,
    QuotedCancelHandler,
    of_what_was_paid,
    tell_of_full_credit,
)
from apps.bookings.models import Booking, Operation
from apps.bookings.trade_rules import Service
from apps.common.errors import Conflict
from apps.flights.details import OrderDetails
from apps.flights.rules import flown
from apps.flights.services.airline_changes import follow_airline
from apps.flights.services.airline_credits import ACCEPTS_CREDIT, complete_credits, with_credits
from apps.flights.services.book import FlightHandler
from apps.flights.services.hold import as_lapsed, ended_on_hold
from apps.flights.suppliers.base import LAPSED, Cancellation, FlightSupplier
from apps.suppliers.results import AirlineCredit, PenaltySteps

WHOLE = 2**62
"""Stands for a refund of the whole price, as it is when the refund is written: a change may be paid until then."""


class CancelFlight(FlightHandler, QuotedCancelHandler[FlightSupplier, Cancellation]):
    """The operation that cancels an order; a non-refundable one costs its whole price."""

    quote_type = Cancellation

    def ask_quote(self, booking: Booking, fault: str = "") -> Cancellation:
        return borne(booking, super().ask_quote(booking, fault))

    def expiry_of(self, quote: Cancellation) -> datetime | None:
        return quote.expires_at

    def credits_of(self, quote: Cancellation) -> tuple[AirlineCredit, ...]:
        return quote.airline_credits

    def refuse_unaccepted(self, operation: Operation, cost: CostNow) -> None:
        """Raises Conflict where the airline would keep something as credit, unless the partner accepts that. Where the partner
        does not say, the deployment's setting does.
        """
        quote: Cancellation = cost.quote
        accepted = operation.request.get(ACCEPTS_CREDIT)
        if not quote.airline_credits or (quote.credit_taken if accepted is None else accepted):
            return
        raise Conflict(
            "The airline would refund this order into its own credit for the travellers, not to your balance; nothing was "
            "cancelled. Send acceptAirlineCredit to accept that.",
            ours=True,
            refundTo=cost.refund_to,
        )

    def penalty_steps(self, booking: Booking) -> PenaltySteps | None:
        return OrderDetails.of(booking).steps_of(booking)

    def cancelled_by_supplier(self, booking: Booking) -> Cancellation | None:
        """What the supplier says that it cost. Where it does not say, or in another currency than the booking's, nothing: an
        airline that cancels returns the whole price.

        Of an order that stands, what the airline has changed by itself is stored. A cancelled one is polled while a code of its
        credits is missing.
        """
        if booking.status == Booking.ON_HOLD:
            return ended_on_hold(booking, self.supplier_of(booking))
        if booking.status == Booking.CANCELLED:
            complete_credits(booking, self.supplier_of(booking))
            return None
        order = self.supplier_of(booking).read_order(booking.supplier_reference)
        if order.cancelled:
            cost = order.cancellation
            is_told = cost is not None and cost.currency == booking.currency
            return cost if is_told else credited_in_full(booking)
        follow_airline(booking, order)
        return None

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        """The next departure, or the end of the journey after the last one: between two flights there may be weeks."""
        details = OrderDetails.of(booking)
        departures = [flown.leg.departure_at for flown in details.slices]
        return min((at for at in departures if at > now), default=details.ends_at)

    def service(self, booking: Booking) -> Service:
        return flown(known.leg for known in OrderDetails.of(booking).slices)

    def penalty_of(self, operation: Operation, result: Cancellation) -> int:
        return super().penalty_of(operation, borne(operation.booking, result))

    def outcome(self, operation: Operation, result: Cancellation) -> Outcome:
        booking = operation.booking
        outcome = with_credits(booking, super().outcome(operation, result), result.airline_credits)
        return as_lapsed(booking, outcome) if LAPSED in result.supplier_data else outcome


def credited_in_full(booking: Booking) -> Cancellation:
    """The cost of a cancellation whose cost is unknown."""
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
