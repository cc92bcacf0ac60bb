"""The events of one booking with their deliveries: what the pages of the booking and of its calls show."""

from dataclasses import dataclass

from django.db.models import BooleanField, Prefetch
from django.db.models.expressions import RawSQL

from apps.webhooks.models import Delivery, Event

# The condition of the index over the events of bookings, as a literal: PostgreSQL cannot use a partial index in a plan for any
# parameters if the condition is a parameter too.
ABOUT_A_BOOKING = RawSQL("booking_id <> ''", (), output_field=BooleanField())


@dataclass(frozen=True, slots=True)
class SentEvent:
    """An event and its deliveries, each with its endpoint, the oldest first."""

    event: Event
    deliveries: list[Delivery]


def events_of_booking(
    account_id: str, environment: str, booking_id: str, *, request_id: str = "", payloads: bool = False
) -> list[SentEvent]:
    """In their order; those that one request led to, where it is named. Their payloads are read with `payloads`."""
    events = Event.objects.filter(account_id=account_id, environment=environment, booking_id=booking_id)
    if request_id:
        events = events.filter(request_id=request_id)
    if not payloads:
        events = events.defer("payload")
    deliveries = Delivery.objects.select_related("endpoint").order_by("created_at", "id")
    found = (
        events.filter(ABOUT_A_BOOKING)
        .order_by("created_at", "sequence", "id")
        .prefetch_related(Prefetch("deliveries", deliveries))
    )
    return [SentEvent(event, list(event.deliveries.all())) for event in found]
