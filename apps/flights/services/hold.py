"""Orders on hold: what the polls find of them, and the reminder before their end.

The supplier is read before anything is decided: a payment whose answer was lost may have been carried out. An order that was not
paid in time is cancelled here once its supplier says so.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction

from apps.bookings.flow.settle import emit_events
from apps.bookings.handlers import REMINDED_BEFORE, Outcome
from apps.bookings.models import Booking
from apps.bookings.statements import save_change
from apps.bookings.travellers import at_rest, with_keys
from apps.flights.details import OrderDetails
from apps.flights.services.airline_changes import follow_airline
from apps.flights.services.book import expiring_event, hold_facts
from apps.flights.suppliers.base import LAPSED, PAID, UNPAID, Cancellation, FlightSupplier
from apps.suppliers.alerts import alert
from apps.suppliers.models import AlertKind
from apps.suppliers.values import to_json
from apps.webhooks.events import BOOKING_HOLD_EXPIRED, Fact

logger = logging.getLogger(__name__)

STILL_SHOWN_FOR = timedelta(hours=1)
"""A supplier that says for longer after the end of a hold that it awaits payment is not waited for: nothing was paid."""
NOT_PAID = "It was not paid in time."


def ended_on_hold(booking: Booking, supplier: FlightSupplier) -> Cancellation | None:
    """What ended an order on hold without its partner: its airline, or the end of its time to be paid. None while it stands;
    its price and times are then those that the airline has now.

    One that is paid all the same is left to staff: its partner may still pay it here, which then takes no second payment.
    """
    booking = remind(booking)
    order = supplier.read_order(booking.supplier_reference)
    if order.cancelled:
        return costs_nothing(booking)
    if order.payment == LAPSED:
        return costs_nothing(booking, lapsed=True)
    if order.payment == PAID:
        alert(booking.supplier_name, AlertKind.UNRESOLVED, f"{booking.reference} is on hold, and paid")
        return None
    pay_by = order.pay_by or booking.pay_by
    if order.payment == UNPAID and pay_by is not None and booking.now() >= pay_by + STILL_SHOWN_FOR:
        return costs_nothing(booking, lapsed=True)
    follow_airline(booking, order)
    return None


def costs_nothing(booking: Booking, *, lapsed: bool = False) -> Cancellation:
    return Cancellation(0, 0, booking.currency, {LAPSED: "yes"} if lapsed else {})


def as_lapsed(booking: Booking, outcome: Outcome) -> Outcome:
    """The outcome of a cancellation that was the end of a hold."""
    assert outcome.cancellation is not None
    return replace(
        outcome,
        cancellation={**outcome.cancellation, "reason": NOT_PAID},
        events=(
            Fact(
                BOOKING_HOLD_EXPIRED,
                hold_facts(OrderDetails.of(booking), booking.total_cents, booking.currency),
            ),
            *outcome.events,
        ),
    )


def remind(booking: Booking) -> Booking:
    """Notify the partner, once, that the hold is about to end. Returns the booking as it is then."""
    if not reminder_is_due(booking, OrderDetails.of(booking), booking.now()):
        return booking
    with transaction.atomic():
        stored = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=booking.pk)
        details, now = OrderDetails.of(stored), stored.now()
        if not reminder_is_due(stored, details, now):
            return stored
        stored.details = dict(at_rest(stored, to_json(replace(details, hold_reminded=True))))
        save_change(stored, "details", now=now)
        emit_events(stored, "", (expiring_event(details, stored.total_cents, stored.currency),))
    return stored


def reminder_is_due(booking: Booking, details: OrderDetails, now: datetime) -> bool:
    """Not any more once the hold is over: `booking.hold_expired` says that."""
    if booking.status != Booking.ON_HOLD or details.hold_reminded or details.pay_by is None:
        return False
    return details.pay_by - REMINDED_BEFORE <= now < details.pay_by
