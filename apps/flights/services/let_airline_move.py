"""The sandbox trigger `sbx_schedule_changed`: the simulated airline moves the order that was just made."""

from typing import Any

from apps.bookings.flow.polling import poll_at_once
from apps.bookings.models import Booking
from apps.flights.suppliers.registry import flight_supplier


def let_airline_move(booking: Booking) -> None:
    """As a real airline would. The order is read at once, so that the next answer shows it.

    Only test keys have triggers, so the supplier is the simulator. Raises NotPossible for an order that no longer stands.
    """
    simulator: Any = flight_supplier(booking.environment)
    simulator.move(booking.supplier_reference)
    poll_at_once(booking)
