"""What an airline changes of an order by itself: times, flight numbers, its names of the legs, tickets that come late.

It is shown from then on, and no event tells of it: `booking.modified` is declared and never sent (specification §6).
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
    """Take over what the standing `order`, which was just read, has otherwise than `booking`, as that was before the reading.

    Nothing is taken over while an operation is open on the booking, nor where one has ended since: its own answer counts, and
    the next news compares again.
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
    """The journey may end at another time now: until then its supplier is asked."""
    now = clock.now()
    booking.details = to_json(details)
    booking.watched_until = details.ends_at
    booking.next_news_at = next_look(booking, now)
    booking.updated_at = now
    booking.save(update_fields=["details", "watched_until", "next_news_at", "updated_at"])


def flights_of(details: OrderDetails) -> list[Slice]:
    """What is flown, whatever the airline calls it."""
    return [replace(known.leg, supplier_id="") for known in details.slices]
