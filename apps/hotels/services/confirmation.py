"""The hotel's own confirmation number, where it comes after the booking. It is shown from then on."""

from dataclasses import replace

from django.db import transaction

from apps.bookings.models import Booking
from apps.common import clock
from apps.hotels.details import StayDetails
from apps.suppliers.codec import to_json


def keep_confirmation_code(booking: Booking, code: str | None) -> None:
    """Store the number. Changes nothing where there is none, or where it is known."""
    if code is None or StayDetails.of(booking).confirmation_code == code:
        return
    with transaction.atomic():
        stored = Booking.objects.select_for_update(no_key=True).get(pk=booking.pk)
        stored.details = to_json(replace(StayDetails.of(stored), confirmation_code=code))
        stored.updated_at = clock.now()
        stored.save(update_fields=["details", "updated_at"])
