"""The end of an order by its supplier. A partner cannot cancel an eSIM; a supplier that has refunded one has."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from apps.bookings.models import Booking, Operation, OperationKind, Product, Settlement
from apps.bookings.services.cancel import cancelled
from apps.bookings.work import Outcome, Prepared
from apps.esim.details import OrderDetails
from apps.esim.suppliers.base import EsimOrder, EsimSupplier
from apps.esim.suppliers.registry import esim_supplier
from apps.suppliers.choice import SIMULATOR
from apps.suppliers.errors import NotPossible

REFUNDED_WITHIN = timedelta(days=30)
"""A supplier decides by hand upon a refund, some time after the plan has run out."""
LONGEST_DAYS = 3_650
"""A plan that is good for longer, or for ever in its supplier's way of saying so, is not watched to its end."""
LOOKED_AT_EVERY = timedelta(days=1)
"""Soon enough for what takes people days, and little beside the hours that journeys are looked at."""


def watched_until(booking: Booking) -> datetime:
    """Until when the supplier is asked whether an order still stands."""
    days = min(OrderDetails.of(booking).plan.validity_days, LONGEST_DAYS)
    return booking.created_at + timedelta(days=days) + REFUNDED_WITHIN


def news_pause(booking: Booking, now: datetime) -> timedelta | None:
    """How long a real supplier is left alone; None for the simulator, which goes by the settings."""
    return LOOKED_AT_EVERY if booking.supplier_name != SIMULATOR else None


class WithdrawEsim:
    """The operation that follows a supplier's refund; no request of a partner begins one."""

    product = Product.ESIM
    kind = OperationKind.CANCEL

    def supplier(self, operation: Operation, trouble: str = "") -> EsimSupplier:
        booking = operation.booking
        return esim_supplier(booking.environment, trouble, named=booking.supplier_name)

    def prepare(self, operation: Operation) -> Prepared:
        raise NotPossible("An eSIM cannot be cancelled.")

    def call(self, operation: Operation, trouble: str) -> EsimOrder:
        raise NotPossible("An eSIM cannot be cancelled.")

    def find(self, operation: Operation) -> EsimOrder | None:
        return self.withdrawn(operation.booking)

    def withdrawn(self, booking: Booking) -> EsimOrder | None:
        """The order, once the supplier has refunded it."""
        order = esim_supplier(booking.environment, named=booking.supplier_name).read_order(
            booking.supplier_reference
        )
        return order if order.cancelled else None

    def outcome(self, operation: Operation, result: EsimOrder) -> Outcome:
        """The partner gets back all that was paid: suppliers refund an eSIM whole, or not at all."""
        return cancelled(operation, penalty_cents=0, details=operation.booking.details)

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """Nothing of an eSIM order is ever owed."""
        details: Mapping[str, Any] = booking.details
        return details
