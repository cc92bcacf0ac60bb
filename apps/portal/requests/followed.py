"""What followed from a call: its booking, the lines that it wrote in the ledger, its events and their deliveries."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.bookings.models import Booking
from apps.gateway.request_log.models import LoggedCall
from apps.ledger.models import LedgerTransaction
from apps.ledger.selectors import lines_of_booking
from apps.portal.context import PortalContext
from apps.webhooks.booking_events import SentEvent, events_of_booking
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import deliveries_of


@dataclass(frozen=True, slots=True)
class Followed:
    booking: Booking | None
    ledger: Sequence[LedgerTransaction]
    """The oldest first."""
    events: Sequence[SentEvent]
    delivery: Delivery | None
    """What a call of webhook management sent."""

    @property
    def is_something(self) -> bool:
        return bool(self.ledger or self.events or self.delivery)


def followed_from(portal: PortalContext, call: LoggedCall) -> Followed:
    """At most three queries, each by an index; none for a call that was about no booking and no delivery.

    Lines and events name the call that began the operation. What a retry carried on is found at its booking.
    """
    place = (portal.account_id, portal.environment)
    booking = booking_of_call(portal, call)
    if booking is None:
        return Followed(None, (), (), delivery_sent_by(portal, call))
    request_id = str(call.request_id)
    lines = lines_of_booking(*place, booking.reference, request_id=request_id)
    events = events_of_booking(*place, booking.pk, request_id=request_id)
    return Followed(booking, lines, events, None)


def booking_of_call(portal: PortalContext, call: LoggedCall) -> Booking | None:
    if not call.booking_id:
        return None
    mine = Booking.objects.filter(account_id=portal.account_id, environment=portal.environment)
    return mine.filter(pk=call.booking_id).only("id", "reference", "status").first()


def delivery_sent_by(portal: PortalContext, call: LoggedCall) -> Delivery | None:
    """The delivery that the answer names, of a call that asked for one."""
    body = call.response_body
    named = body.get("id") if call.method == "POST" and isinstance(body, dict) else None
    if not isinstance(named, str) or not named.startswith("whd_"):
        return None
    return (
        deliveries_of(portal.account_id, portal.environment)
        .select_related("endpoint")
        .filter(pk=named)
        .first()
    )
