"""Stores what an airline changes of an order by itself: times, flight numbers, its ids of the legs, tickets that come late.

It is shown from then on. No event is sent: `booking.modified` is declared and never sent (specification §6).
"""

import logging
from dataclasses import replace

from django.db import transaction

from apps.bookings.models import OPEN_STATES, Booking
from apps.bookings.services.settle import next_look
from apps.common import clock
from apps.flights.details import OrderDetails
from apps.flights.suppliers.base import FlightOrder, Slice
from apps.suppliers.codec import to_json

logger = logging.getLogger(__name__)


def follow_airline(booking: Booking, order: FlightOrder) -> None:
    """Store what the standing `order`, which was just read, has otherwise than `booking`, as that was before the reading.

    Nothing is stored while an operation on the booking is open, or when one has ended since: its own result counts, and the next
    poll compares again.
    """
    before = OrderDetails.of(booking)
    if before.flown_as(order) == before:
        return
    with transaction.atomic():
        stored = Booking.objects.select_for_update(no_key=True).get(pk=booking.pk)
        if (stored.status, stored.details) != (booking.status, booking.details) or is_under_way(stored):
            return
        after = before.flown_as(order)
        keep(stored, after)
    if flights_of(before) != flights_of(after):
        logger.warning("%s: its airline has changed its flights", booking)
    else:
        logger.info("%s: its airline has renamed its legs or made its tickets", booking)


def is_under_way(booking: Booking) -> bool:
    return booking.operations.filter(state__in=OPEN_STATES).exists()


def keep(booking: Booking, details: OrderDetails) -> None:
    """The journey may end at another time now, and the supplier is polled until then."""
    now = clock.now()
    booking.details = to_json(details)
    booking.watched_until = details.ends_at
    booking.next_news_at = next_look(booking, now)
    booking.updated_at = now
    booking.save(update_fields=["details", "watched_until", "next_news_at", "updated_at"])


def flights_of(details: OrderDetails) -> list[Slice]:
    """What is flown, without the airline's ids."""
    return [replace(known.leg, supplier_id="") for known in details.slices]
