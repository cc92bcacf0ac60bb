"""The answer of GET /v1/operations, from what became of a call."""

from datetime import datetime

from apps.bookings.call_outcomes.find import CallOutcome
from apps.bookings.models import Booking
from apps.common.clock import rfc3339


def call_outcome_json(outcome: CallOutcome) -> dict[str, object]:
    call, verdict = outcome.call, outcome.verdict
    return {
        "idempotencyKey": outcome.key,
        "operation": (call.operation or None) if call else None,
        "state": verdict.state,
        "status": call.status if call else None,
        "requestId": (call.request_id or None) if call else None,
        "firstSeenAt": _instant(call.first_seen_at if call else None),
        "answeredAt": _instant(call.answered_at if call else None),
        "booking": _booking_json(verdict.booking) if verdict.booking is not None else None,
        "next": {"action": verdict.next.action, "afterSeconds": verdict.next.after_seconds},
    }


def _booking_json(booking: Booking) -> dict[str, object]:
    return {
        "bookingType": booking.product,
        "id": booking.pk,
        "reference": booking.reference,
        "status": booking.status,
    }


def _instant(instant: datetime | None) -> str | None:
    return rfc3339(instant) if instant is not None else None
