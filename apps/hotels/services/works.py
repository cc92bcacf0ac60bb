"""What the two kinds of hotel operation share."""

from collections.abc import Mapping
from typing import Any

from apps.bookings.models import Booking, Operation, Product, Settlement
from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.registry import hotel_supplier


class HotelWork:
    """The product, its supplier, and details that no settlement alters."""

    product = Product.HOTEL

    @staticmethod
    def supplier(operation: Operation, trouble: str = "") -> HotelSupplier:
        booking = operation.booking
        return hotel_supplier(booking.environment, trouble, booking.exchange, named=booking.supplier_name)

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        details: Mapping[str, Any] = booking.details
        return details
