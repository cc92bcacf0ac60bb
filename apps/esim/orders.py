"""Reads of eSIM orders and their top-ups. Both are bookings of the product; a top-up names the order that it belongs to."""

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from apps.bookings.models import Booking, Product
from apps.bookings.selectors import booking_of, bookings_of
from apps.common.errors import NotFound
from apps.esim.details import OrderDetails
from apps.keys.partner import Partner

# The expression is that of the index `booking_top_ups_of_order`.
ORDER_OF_TOP_UP = RawSQL("details #>> '{top_up_of,order_id}'", [])


def without_top_ups(bookings: QuerySet[Booking]) -> QuerySet[Booking]:
    """Orders of eSIMs alone: what a list of orders shows."""
    return bookings.alias(topped_up_order=ORDER_OF_TOP_UP).filter(topped_up_order=None)


def order_of(partner: Partner, order_id: str) -> Booking:
    """One order of the partner's. Raises NotFound, for the id of a top-up too."""
    booking = booking_of(partner, Product.ESIM, order_id)
    if OrderDetails.of(booking).top_up_of is not None:
        raise NotFound
    return booking


def top_ups_of(order: Booking) -> QuerySet[Booking]:
    """The order's top-ups, the oldest first, whatever became of them."""
    mine = bookings_of(order.account_id, order.environment, Product.ESIM)
    return (
        mine.alias(topped_up_order=ORDER_OF_TOP_UP)
        .filter(topped_up_order=order.pk)
        .order_by("created_at", "id")
    )
