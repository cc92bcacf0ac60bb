"""The events of one booking with their deliveries: what the pages of the booking and of its calls show.

Read by hand, in one statement: the ORM took two of them, and most of the time of those pages to write them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.common.read_rows import Columns
from apps.common.sql import all_rows
from apps.webhooks.models import Delivery, Endpoint, Event

EVENT_WITH_PAYLOAD = Columns(
    Event, "event", only=["id", "type", "payload", "request_id", "sequence", "created_at"]
)
EVENT = Columns(Event, "event", only=["id", "type", "request_id", "sequence", "created_at"])
DELIVERY = Columns(
    Delivery,
    "delivery",
    only=["id", "event_id", "endpoint_id", "status", "attempt_count", "created_at", "completed_at"],
)
ENDPOINT = Columns(Endpoint, "endpoint", only=["id", "url", "description", "deleted_at"])
# "<> ''" repeats the condition of the index, which has the events of bookings alone. Without it PostgreSQL cannot use the index.
OF_BOOKING = f"""
SELECT {{event}}, {DELIVERY}, {ENDPOINT}
FROM webhooks_event event
LEFT JOIN webhooks_delivery delivery ON delivery.event_id = event.id
LEFT JOIN webhooks_endpoint endpoint ON endpoint.id = delivery.endpoint_id
WHERE event.account_id = %(account)s AND event.environment = %(environment)s
  AND event.booking_id = %(booking)s AND event.booking_id <> ''
  AND (%(request)s::text = '' OR event.request_id = %(request)s)
ORDER BY event.created_at, event.sequence, event.id, delivery.created_at, delivery.id
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class SentEvent:
    """An event and its deliveries, each with its endpoint, the oldest first."""

    event: Event
    deliveries: list[Delivery]


def events_of_booking(
    account_id: str, environment: str, booking_id: str, *, request_id: str = "", payloads: bool = False
) -> list[SentEvent]:
    """In their order; those that one request led to, where it is named. Their payloads are read with `payloads`."""
    columns = EVENT_WITH_PAYLOAD if payloads else EVENT
    named = {
        "account": account_id,
        "environment": environment,
        "booking": booking_id,
        "request": request_id,
    }
    found: dict[str, SentEvent] = {}
    for row in all_rows(OF_BOOKING.format(event=columns), named):
        event = columns.row(row[: len(columns)])
        sent = found.setdefault(event.pk, SentEvent(event, []))
        delivery = _delivery(row[len(columns) :])
        if delivery is not None:
            sent.deliveries.append(delivery)
    return list(found.values())


def _delivery(columns: Sequence[Any]) -> Delivery | None:
    """None of an event to which no endpoint was subscribed."""
    if columns[0] is None:  # its id
        return None
    own = len(DELIVERY)
    delivery = DELIVERY.row(columns[:own])
    delivery.endpoint = ENDPOINT.row(columns[own:])
    return delivery
