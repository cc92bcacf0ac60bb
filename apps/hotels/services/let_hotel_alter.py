"""The sandbox trigger `sbx_supplier_changed`: the simulated hotel alters the booking that was just made."""

from typing import Any

from apps.bookings.flow.polling import poll_at_once
from apps.bookings.models import Booking
from apps.hotels.suppliers.registry import hotel_supplier


def let_hotel_alter(booking: Booking) -> None:
    """As a real one would. The booking is read at once, so that the next answer shows it.

    Only test keys have triggers, so the supplier is the simulator. Raises NotPossible for a booking that no longer stands.
    """
    simulator: Any = hotel_supplier(booking.environment)
    simulator.alter(booking.supplier_reference)
    poll_at_once(booking)
