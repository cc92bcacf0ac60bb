"""Where and when the driver waits, where that is told or changed after the booking. It is shown from then on."""

from dataclasses import replace

from django.db import transaction

from apps.bookings.models import Booking
from apps.common import clock
from apps.suppliers.codec import to_json
from apps.transfers.details import OrderDetails
from apps.transfers.suppliers.base import Pickup


def keep_pickup(booking: Booking, told: Pickup) -> None:
    """Store the pick-up. Changes nothing where nothing new is told."""
    if merged(OrderDetails.of(booking).pickup, told) is None:
        return
    with transaction.atomic():
        stored = Booking.objects.select_for_update(no_key=True).get(pk=booking.pk)
        details = OrderDetails.of(stored)
        pickup = merged(details.pickup, told)
        if pickup is None:
            return
        stored.details = to_json(replace(details, pickup=pickup))
        stored.updated_at = clock.now()
        stored.save(update_fields=["details", "updated_at"])


def merged(known: Pickup | None, told: Pickup) -> Pickup | None:
    """The known pick-up with what is told now; None where that changes nothing. What is not told now stays as it is known."""
    if known is None:
        return None  # not confirmed yet: the confirmation has it
    pickup = Pickup(
        at=told.at or known.at,
        instructions=told.instructions or known.instructions,
        emergency_phone=told.emergency_phone or known.emergency_phone,
    )
    return None if pickup == known else pickup
