"""What the two kinds of transfer operation share."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.bookings.models import Booking, Operation, Product, Settlement
from apps.suppliers.codec import to_json
from apps.transfers.details import CAPTURED, OrderDetails
from apps.transfers.suppliers.base import TransferSupplier
from apps.transfers.suppliers.registry import transfer_supplier


class TransferWork:
    """The product, its supplier, and what the capture of the held funds leaves in the details."""

    product = Product.TRANSFER

    @staticmethod
    def supplier(operation: Operation, trouble: str = "") -> TransferSupplier:
        booking = operation.booking
        return transfer_supplier(booking.environment, trouble, booking.exchange, named=booking.supplier_name)

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """`settlement.funds` of the order once the reconciliation worker has captured them."""
        assert settlement.settled_at is not None
        details = OrderDetails.of(booking)
        captured = details.settlement.resolved(CAPTURED, settlement.amount_cents, settlement.settled_at)
        found: Mapping[str, Any] = to_json(replace(details, settlement=captured))
        return found
