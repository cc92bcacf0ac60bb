"""What the two kinds of hotel operation share."""

from apps.bookings.handlers import ProductHandler
from apps.bookings.models import Booking, Product
from apps.bookings.trade_rules import Service
from apps.hotels.details import StayDetails
from apps.hotels.rules import stayed
from apps.hotels.suppliers.base import HotelSupplier
from apps.hotels.suppliers.registry import VENDORS, hotel_supplier


class HotelHandler(ProductHandler[HotelSupplier]):
    product = Product.HOTEL
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> HotelSupplier:
        return hotel_supplier(booking.environment, fault, booking.exchange, named=booking.supplier_name)

    def service(self, booking: Booking) -> Service:
        details = StayDetails.of(booking)
        return stayed(details.hotel, details.check_in, details.check_out)
