"""What the three kinds of flight operation share."""

from collections.abc import Mapping
from typing import Any

from apps.bookings.models import Booking, Operation, Product, Settlement
from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.registry import flight_supplier


class FlightWork:
    """The product, its supplier, and details that no settlement alters."""

    product = Product.FLIGHT

    @staticmethod
    def supplier(operation: Operation, trouble: str = "") -> FlightSupplier:
        booking = operation.booking
        return flight_supplier(booking.environment, trouble, booking.exchange, named=booking.supplier_name)

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        details: Mapping[str, Any] = booking.details
        return details
