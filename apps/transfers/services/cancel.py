"""POST /v1/transfers/orders/{orderId}/cancel: the supplier's quote first, then the cancellation, then the money.

What happens to the money is decided under the booking's lock, by whether the reconciliation worker has captured the funds yet:
funds still held are released except for the penalty, captured ones are refunded except for it.
"""

from dataclasses import replace
from datetime import datetime

from apps.bookings.handlers import Outcome, QuotedCancelHandler, cancelled, tell_of_full_credit
from apps.bookings.models import Booking, Operation
from apps.bookings.trade_rules import Service
from apps.suppliers.alerts import alert
from apps.suppliers.models import AlertKind
from apps.suppliers.results import PenaltySteps
from apps.suppliers.values import to_json
from apps.transfers.details import CAPTURED, REFUNDED, RELEASED, STILL_HELD, FundsState, OrderDetails
from apps.transfers.services.book import TransferHandler
from apps.transfers.services.pickup import keep_pickup
from apps.transfers.suppliers.base import Cancellation, TransferSupplier


class CancelTransfer(TransferHandler, QuotedCancelHandler[TransferSupplier, Cancellation]):
    """The operation that cancels an order by the steps of its policy."""

    quote_type = Cancellation

    def find(self, operation: Operation) -> Cancellation | None:
        """Staff are alerted where it cost more than was quoted: the partner does not pay that."""
        booking = operation.booking
        found = self.supplier(operation).find_cancellation(operation.client_ref, booking.supplier_reference)
        if found is not None and found.penalty_cents > agreed_penalty(operation):
            said = f"{booking.supplier_reference}: cancelled for more than was quoted"
            alert(booking.supplier_name, AlertKind.PRICE_ABOVE_QUOTE, said)
        return found

    def cancelled_by_supplier(self, booking: Booking) -> Cancellation | None:
        """What the supplier says that it cost; nothing where that is in another currency than the booking's.

        Of an order that stands, pick-up and operator are stored, which may be stated or altered after the booking.
        """
        order = self.supplier_of(booking).read_order(booking.supplier_reference)
        cost = order.cancellation
        if cost is None:
            keep_pickup(booking, order.pickup, order.operator, order.back_pickup)
        elif cost.currency != booking.currency:
            tell_of_full_credit(booking, booking.supplier_reference)
            return Cancellation(0, booking.total_cents, booking.currency)
        return cost

    def service(self, booking: Booking) -> Service:
        return OrderDetails.of(booking).service

    def penalty_steps(self, booking: Booking) -> PenaltySteps | None:
        return OrderDetails.of(booking).penalty_steps(booking.total_cents)

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        """Of a return journey the second pick-up, once the first has passed."""
        service = self.service(booking)
        return service.ends_at if service.has_begun(now) else service.begins_at

    def outcome(self, operation: Operation, result: Cancellation) -> Outcome:
        booking = operation.booking
        details = OrderDetails.of(booking)
        penalty = min(self.penalty_of(operation, result), agreed_penalty(operation), booking.total_cents)
        settlement = after_cancelling(
            details.settlement, penalty, booking.total_cents - penalty, booking.now()
        )
        written = to_json(replace(details, settlement=settlement))
        if details.settlement.funds == STILL_HELD:
            return cancelled(
                operation,
                penalty_cents=penalty,
                details=written,
                release_hold_id=details.settlement.hold_id,
                release_keeps_cents=penalty,
            )
        return cancelled(operation, penalty_cents=penalty, details=written)


def agreed_penalty(operation: Operation) -> int:
    """The most that the partner agreed to: the quote. The supplier's own cancellation has none, and costs what it says."""
    return int(operation.prepared.get("penaltyCents", operation.booking.total_cents))


def after_cancelling(before: FundsState, penalty_cents: int, refund_cents: int, now: datetime) -> FundsState:
    """What `settlement` says of a cancelled order: what came back, or that nothing did."""
    if before.funds == STILL_HELD:
        funds, amount = (RELEASED, refund_cents) if refund_cents else (CAPTURED, penalty_cents)
        return before.resolved(funds, amount, now)
    return before.resolved(REFUNDED, refund_cents, now) if refund_cents else before
