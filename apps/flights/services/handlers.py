"""What the three kinds of flight operation share."""

from apps.bookings.handlers import ProductHandler
from apps.bookings.models import Booking, Product
from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.registry import VENDORS, flight_supplier


class FlightHandler(ProductHandler[FlightSupplier]):
    product = Product.FLIGHT
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> FlightSupplier:
        return flight_supplier(booking.environment, fault, booking.exchange, named=booking.supplier_name)
