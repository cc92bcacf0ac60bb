"""What the kinds of eSIM operation share, and the end of an order by its supplier.

from apps.bookings.handlers import ProductHandler
from apps.bookings.models import Booking, Product
from apps.esim.suppliers.base import EsimSupplier
A partner cannot cancel an eSIM, but a supplier that refunds one has cancelled it.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from apps.bookings.handlers import Outcome, Prepared, ProductHandler, cancelled
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.esim.details import OrderDetails
from apps.esim.suppliers.base import EsimOrder, EsimSupplier
from apps.esim.suppliers.registry import VENDORS, esim_supplier
from apps.suppliers.errors import NotPossible
from apps.webhooks.events import Fact

REFUNDED_WITHIN = timedelta(days=30)
"""A supplier's staff decide about a refund, some time after the plan has run out."""
LONGEST_DAYS = 3_650
"""A plan that is valid for longer than this, or for ever in its supplier's way of saying so, is not polled to its end."""


class EsimHandler(ProductHandler[EsimSupplier]):
    product = Product.ESIM
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> EsimSupplier:
        return esim_supplier(booking.environment, fault, named=booking.supplier_name)


class BuyHandler(EsimHandler):
    """What ordering an eSIM and topping one up share."""

    kind = OperationKind.BOOK

    def prepare(self, operation: Operation) -> Prepared:
        """Asks nothing: the plan is sold at the price that was read before, and a supplier that charges more refuses it."""
        return Prepared(operation.amount_cents)


def provisioned(booking: Booking, result: EsimOrder, details: Mapping[str, Any], event: Fact) -> Outcome:
    """The partner pays what the plan was sold for. There is no booking.confirmed for an eSIM (specification §6)."""
    return Outcome(
        status="provisioned",
        details=details,
        total_cents=booking.total_cents,
        supplier_reference=result.supplier_reference,
        capture_cents=booking.total_cents,
        watched_until=watched_until(booking),
        events=(event,),
    )


def watched_until(booking: Booking) -> datetime:
    """Until when the supplier is asked whether an order still stands."""
    days = min(OrderDetails.of(booking).plan.validity_days, LONGEST_DAYS)
    return booking.created_at + timedelta(days=days) + REFUNDED_WITHIN


class RefundEsim(EsimHandler):
    """The operation that follows a supplier's refund; no request of a partner begins one."""

    kind = OperationKind.CANCEL

    def prepare(self, operation: Operation) -> Prepared:
        raise NotPossible("An eSIM cannot be cancelled.")

    def call(self, operation: Operation, fault: str) -> EsimOrder:
        raise NotPossible("An eSIM cannot be cancelled.")

    def find(self, operation: Operation) -> EsimOrder | None:
        return self.cancelled_by_supplier(operation.booking)

    def cancelled_by_supplier(self, booking: Booking) -> EsimOrder | None:
        """The order, once the supplier has refunded it."""
        order = self.supplier_of(booking).read_order(booking.supplier_reference)
        return order if order.cancelled else None

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        """There is no journey: a plan can be used from its order on."""
        return booking.created_at

    def outcome(self, operation: Operation, result: EsimOrder) -> Outcome:
        """The partner gets back all that was paid: suppliers refund an eSIM whole, or not at all."""
        return cancelled(operation, penalty_cents=0, details=operation.booking.details)
