"""What the two kinds of eSIM operation share."""

from apps.bookings.handlers import ProductHandler
from apps.bookings.models import Booking, Product
from apps.esim.suppliers.base import EsimSupplier
from apps.esim.suppliers.registry import VENDORS, esim_supplier


class EsimHandler(ProductHandler[EsimSupplier]):
    product = Product.ESIM
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> EsimSupplier:
        return esim_supplier(booking.environment, fault, named=booking.supplier_name)
