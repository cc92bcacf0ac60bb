"""What is read of the bookings of each product, and with which scope."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet

from apps.bookings.models import Booking, Product
from apps.common.errors import InsufficientScope, listed
from apps.esim.presenters import order_json as esim_order_json
from apps.esim.selectors import without_top_ups
from apps.flights.presenters import order_json as flight_order_json
from apps.hotels.presenters import stay_booking_json
from apps.keys.partner import Partner
from apps.transfers.presenters import order_json as transfer_order_json


@dataclass(frozen=True, slots=True)
class Listed:
    """How the list of one product shows its bookings, and the scope that opens it."""

    scope: str
    present: Callable[[Booking], dict[str, object]]
    among: Callable[[QuerySet[Booking]], QuerySet[Booking]] = lambda bookings: bookings


PRODUCTS: dict[str, Listed] = {
    Product.HOTEL: Listed("hotels:book", stay_booking_json),
    Product.FLIGHT: Listed("flights:book", flight_order_json),
    Product.TRANSFER: Listed("transfers:book", transfer_order_json),
    Product.ESIM: Listed("esim:read", esim_order_json, without_top_ups),
}
FIRST_SCOPE, *OTHER_SCOPES = (product.scope for product in PRODUCTS.values())


def products_to_list(partner: Partner, asked: str = "") -> list[str]:
    """Those that the key may read: the asked one, or all. Raises InsufficientScope where it may not read the one asked for."""
    if asked and (scope := PRODUCTS[asked].scope) not in partner.scopes:
        raise InsufficientScope(
            why=f"The bookings of this product need the scope {scope}; the key has {listed(sorted(partner.scopes))}.",
            missingScope=scope,
        )
    return [asked] if asked else [name for name, one in PRODUCTS.items() if one.scope in partner.scopes]
