"""What the three kinds of flight operation share."""

from apps.bookings.models import Booking, Product
from apps.bookings.product_handlers import ProductHandler
from apps.flights.suppliers.base import FlightSupplier
from apps.flights.suppliers.registry import VENDORS, flight_supplier
from apps.suppliers.alerts import alert
from apps.suppliers.alerts.models import AlertKind


def tell_of_full_credit(booking: Booking, supplier_reference: str) -> None:
    """A cancelled order that does not say what that cost is credited in full. Staff compare it with what the supplier returns."""
    alert(booking.supplier_name, AlertKind.FULL_CREDIT, f"{booking.reference} {supplier_reference}")


class FlightHandler(ProductHandler[FlightSupplier]):
    product = Product.FLIGHT
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> FlightSupplier:
        return flight_supplier(booking.environment, fault, booking.exchange, named=booking.supplier_name)
