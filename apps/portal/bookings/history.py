"""All that is stored about one booking: its operations, its requests, its ledger lines, its events with their deliveries."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.bookings.models import Booking, Operation, Settlement
from apps.gateway.request_log.models import LoggedCall
from apps.gateway.request_log.selectors import calls_of_booking
from apps.ledger.models import LedgerTransaction
from apps.ledger.selectors import lines_of_booking
from apps.webhooks.booking_events import SentEvent, events_of_booking

CALLS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class BookingHistory:
    """Operations, ledger lines and events are the oldest first, calls the newest first."""

    booking: Booking
    operations: Sequence[Operation]
    settlements: Sequence[Settlement]
    """Those that are still owed."""
    ledger: Sequence[LedgerTransaction]
    events: Sequence[SentEvent]
    calls: Sequence[LoggedCall]
    """The newest of the last 30 days."""
    has_more_calls: bool

    @property
    def was_sent(self) -> bool:
        """Whether an event went to an endpoint."""
        return any(sent.deliveries for sent in self.events)


def history_of(booking: Booking) -> BookingHistory:
    """Five queries, each by an index. The bodies of operations are not read."""
    place = (booking.account_id, booking.environment)
    calls = calls_of_booking(*place, booking.pk, CALLS_SHOWN + 1)
    return BookingHistory(
        booking=booking,
        operations=list(booking.operations.defer("request", "prepared").order_by("id")),
        settlements=list(booking.settlements.filter(settled_at=None)),
        ledger=lines_of_booking(*place, booking.reference),
        events=events_of_booking(*place, booking.pk),
        calls=calls[:CALLS_SHOWN],
        has_more_calls=len(calls) > CALLS_SHOWN,
    )
