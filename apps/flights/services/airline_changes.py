"""Stores an airline's changes of an order, and reports each difference to the partner once.

The order, the record of the change and its event are written in one transaction under the order's lock: a worker that dies
before its end leaves nothing behind, and the next poll finds the same difference.
"""

import logging
from typing import Any

from django.db import transaction

from apps.bookings.flow.polling import poll, poll_at_once
from apps.bookings.flow.settle import emit_events, next_look
from apps.bookings.models import OPEN_STATES, Booking, Product
from apps.bookings.statements import save_change
from apps.bookings.travellers import at_rest, opened, with_keys
from apps.flights.details import OrderDetails
from apps.flights.itinerary import ScheduleChange
from apps.flights.presenters import moved_json
from apps.flights.suppliers.base import FlightOrder
from apps.flights.suppliers.registry import flight_supplier
from apps.suppliers.errors import Unavailable
from apps.suppliers.values import to_json
from apps.webhooks.events import BOOKING_SCHEDULE_CHANGED, Fact

logger = logging.getLogger(__name__)


def follow_airline(booking: Booking, order: FlightOrder) -> None:
    """Store what the standing `order`, which was just read, has otherwise than `booking`, as that was before the reading.

    Nothing is stored while an operation on the booking is open, or when one has ended since: its own result counts, and the next
    poll compares again.
    """
    now = booking.now()
    before = OrderDetails.of(booking)
    after = before.flown_as(order, now)
    total = price_on_hold(booking, order)
    if after == before and total == booking.total_cents:
        return
    changes = after.new_schedule_changes(before)
    with transaction.atomic():
        stored = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=booking.pk)
        altered = (stored.status, opened(stored)) != (booking.status, opened(booking))
        if altered or is_under_way(stored):
            return
        stored.total_cents = total
        stored.details = dict(at_rest(stored, to_json(after)))
        stored.watched_until = after.ends_at  # the supplier is polled until the journey ends
        stored.next_news_at = next_look(stored, now)
        save_change(stored, "total_cents", "details", "watched_until", "next_news_at", now=now)
        emit_events(stored, "", tuple(map(schedule_changed_event, changes)))
    if changes:
        logger.warning("%s: its airline has changed its flights", booking)


def price_on_hold(booking: Booking, order: FlightOrder) -> int:
    """The booking's total; of one on hold what paying it costs now."""
    if booking.status != Booking.ON_HOLD or order.currency != booking.currency:
        return booking.total_cents
    return order.total_cents


def read_again(supplier: str, supplier_reference: str) -> None:
    """Read the standing order that a supplier's webhook names, and follow what its airline did. Raises SupplierError; Unavailable
    as well while an operation on the order is open, whose own result counts.
    """
    standing = Booking.objects.filter(
        product=Product.FLIGHT,
        supplier_name=supplier,
        supplier_reference=supplier_reference,
        status__in=Booking.STANDING,
    )
    for booking in standing:
        if is_under_way(booking):
            raise Unavailable(f"{booking} is being altered")
        poll(booking)


def is_under_way(booking: Booking) -> bool:
    return booking.operations.filter(state__in=OPEN_STATES).exists()


def schedule_changed_event(change: ScheduleChange) -> Fact:
    return Fact(
        BOOKING_SCHEDULE_CHANGED,
        {**moved_json(change), "availableActions": list(change.available_actions)},
    )


def let_airline_move(booking: Booking) -> None:
    """As a real airline would. The order is read at once, so that the next answer shows it.

    Only test keys have triggers, so the supplier is the simulator. Raises NotPossible for an order that no longer stands.
    """
    simulator: Any = flight_supplier(booking.environment)
    simulator.move(booking.supplier_reference)
    poll_at_once(booking)
