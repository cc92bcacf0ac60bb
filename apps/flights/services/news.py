"""How often a flight's supplier is asked whether the order still stands."""

from datetime import datetime, timedelta

from apps.bookings.models import Booking
from apps.flights.details import OrderDetails
from apps.flights.suppliers.registry import NEWS_PACES


def news_pause(booking: Booking, now: datetime) -> timedelta | None:
    """By the pace of its supplier; None where that has none of its own."""
    pace = NEWS_PACES.get(booking.supplier_name)
    return pace.pause(now, departs_next(OrderDetails.of(booking), now)) if pace is not None else None


def departs_next(details: OrderDetails, now: datetime) -> datetime:
    """The next departure, or the end of the journey once there is none: between two flights there may be weeks."""
    departures = [flown.leg.departure_at for flown in details.slices]
    return min((at for at in departures if at > now), default=details.ends_at)
