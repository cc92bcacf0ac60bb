"""What the two kinds of transfer operation share."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.bookings.handlers import ProductHandler
from apps.bookings.models import Booking, Product, Settlement
from apps.suppliers.values import to_json
from apps.transfers.details import CAPTURED, OrderDetails
from apps.transfers.suppliers.base import TransferSupplier
from apps.transfers.suppliers.registry import VENDORS, transfer_supplier


class TransferHandler(ProductHandler[TransferSupplier]):
    product = Product.TRANSFER
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> TransferSupplier:
        return transfer_supplier(booking.environment, fault, booking.exchange, named=booking.supplier_name)

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """`settlement.funds` of the order once the reconciliation worker has captured them."""
        assert settlement.settled_at is not None
        details = OrderDetails.of(booking)
        captured = details.settlement.resolved(CAPTURED, settlement.amount_cents, settlement.settled_at)
        found: Mapping[str, Any] = to_json(replace(details, settlement=captured))
        return found
