"""The sandbox trigger `sbx_supplier_changed`: the simulated company alters the order that was just made."""

from typing import Any

from apps.bookings.flow.polling import poll_at_once
from apps.bookings.models import Booking
from apps.transfers.suppliers.registry import transfer_supplier


def let_company_alter(booking: Booking) -> None:
    """As a real one would. The order is read at once, so that the next answer shows it.

    Only test keys have triggers, so the supplier is the simulator. Raises NotPossible for an order that no longer stands.
    """
    simulator: Any = transfer_supplier(booking.environment)
    simulator.alter(booking.supplier_reference)
    poll_at_once(booking)
