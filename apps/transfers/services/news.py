"""How often a transfer's supplier is asked whether the order still stands."""

from datetime import datetime, timedelta

from apps.bookings.models import Booking
from apps.transfers.details import OrderDetails
from apps.transfers.suppliers.clocks import clock_of
from apps.transfers.suppliers.registry import NEWS_PACES


def news_pause(booking: Booking, now: datetime) -> timedelta | None:
    """By the pace of its supplier; None where that has none of its own."""
    pace = NEWS_PACES.get(booking.supplier_name)
    return pace.pause(now, begins_at(OrderDetails.of(booking))) if pace is not None else None


def begins_at(details: OrderDetails) -> datetime:
    """The pick-up, where its time is known."""
    local = details.pickup.at if details.pickup is not None and details.pickup.at else details.search.outbound
    return local.replace(tzinfo=clock_of(details.search))
