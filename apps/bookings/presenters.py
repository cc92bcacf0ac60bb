"""What the products' bookings share on the wire, and the answer of GET /v1/operations."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

import orjson

from apps.bookings.flow.cancellation_quotes import QuotedCancellation
from apps.bookings.models import Booking
from apps.bookings.outcomes import CallOutcome
from apps.bookings.travellers import is_redacted
from apps.common.clock import rfc3339
from apps.gateway.renderers import render
from apps.suppliers.results import AirlineCredit, PenaltySteps, Withheld


def booking_json(booking: Booking, own: Mapping[str, object]) -> dict[str, object]:
    """The common fields, then the product's own, for which its details were opened. `approvalExpiresAt`, `soldForCents`,
    `exchange` and `redacted` only where they say something.
    """
    supplier = {"name": booking.supplier_name, "reference": booking.supplier_reference or None}
    sold_for = {} if booking.sold_for_cents is None else {"soldForCents": booking.sold_for_cents}
    exchange = {"exchange": booking.exchange} if booking.exchange else {}
    awaits = {}
    if booking.is_awaiting_approval and booking.approval_expires_at is not None:
        awaits = {"approvalExpiresAt": rfc3339(booking.approval_expires_at)}
    redacted = {"redacted": True} if is_redacted(booking) else {}
    return {
        "id": booking.id,
        "reference": booking.reference,
        "externalReference": booking.external_reference,
        "tripReference": booking.trip_reference,
        "status": booking.status,
        "environment": booking.environment,
        "totalCents": booking.total_cents,
        "currency": booking.currency,
        **awaits,
        **sold_for,
        "createdAt": rfc3339(booking.created_at),
        "updatedAt": rfc3339(booking.updated_at),
        "supplier": supplier,
        **exchange,
        **redacted,
        **own,
        "cancellation": booking.cancellation,
    }


def credit_json(credit: AirlineCredit) -> dict[str, object]:
    return {
        "passenger": credit.passenger,
        "amountCents": credit.amount_cents,
        "currency": credit.currency,
        "code": credit.code,
        "expiresOn": credit.expires_on.isoformat() if credit.expires_on else None,
    }


def quoted_cancellation_json(quoted: QuotedCancellation) -> dict[str, object]:
    """The credits of a quote are not issued yet, and have no codes."""
    cost = quoted.cost
    return {
        "cancellationQuoteId": quoted.quote_id,
        "penaltyCents": cost.penalty_cents,
        "refundCents": cost.refund_cents,
        "currency": quoted.currency,
        "refundTo": cost.refund_to,
        "airlineCredits": [credit_json(credit) for credit in cost.airline_credits],
        "expiresAt": rfc3339(quoted.expires_at),
    }


def withheld_json(withheld: Withheld) -> dict[str, int]:
    """What a search's answer leaves out."""
    return {
        "documentsRequired": withheld.documents_required,
        "noLongerSold": withheld.no_longer_sold,
        "unsupported": withheld.unsupported,
        "unreadable": withheld.unreadable,
    }


# --- `cancellationSteps`: what cancelling costs at any instant from the answer on -----------------------------------------
# The first step is the one in force when the answer is made. It began when it came into force, and not before the search or the
# booking was made: so an answer that is read again is the same until the next step begins.
OVER = frozenset({Booking.CANCELLED, Booking.FAILED})

LONG_AGO = datetime.min.replace(tzinfo=UTC)

StepsJson = list[dict[str, object]]


def steps_json(
    steps: PenaltySteps | None, *, total_cents: int, currency: str, since: datetime, now: datetime
) -> StepsJson | None:
    """None for terms that cannot be interpreted with certainty. No step costs more than the total."""
    if steps is None:
        return None
    began, costs = since, 0
    later: StepsJson = []
    for starts_at, penalty in steps:
        if starts_at is not None and starts_at > now:
            later.append(step_json(rfc3339(starts_at), min(penalty, total_cents), currency))
        else:
            began = since if starts_at is None or starts_at < since else starts_at
            costs = min(penalty, total_cents)
    return [step_json(rfc3339(began), costs, currency), *later]


def step_json(begins: str, penalty_cents: int, currency: str) -> dict[str, object]:
    return {"from": begins, "penaltyCents": penalty_cents, "currency": currency}


def steps_of_booking(booking: Booking, steps: PenaltySteps | None) -> StepsJson | None:
    """The same for a booking as it stands now. One that is cancelled or failed has nothing to cancel, and no steps."""
    if booking.status in OVER:
        return []
    return steps_json(
        steps,
        total_cents=booking.total_cents,
        currency=booking.currency,
        since=booking.created_at,
        now=booking.now(),
    )


# --- The offers of a search: many, and most of them before their first step -------------------------------------------
class OfferSteps:
    """Writes the steps of the offers in one answer, made at `now`, to what was searched for at `since`."""

    def __init__(self, *, since: datetime, now: datetime) -> None:
        self._since, self._now = since, now
        self._begins = f'[{{"from":"{rfc3339(since)}",'

    def json(self, steps: PenaltySteps | None, total_cents: int, currency: str) -> orjson.Fragment | None:
        """What `steps_json` says, as JSON."""
        if steps is None:
            return None
        first, rest = _ahead(steps, total_cents, currency)
        if first is None or self._now < first:
            return orjson.Fragment(self._begins + rest)
        found = steps_json(
            steps, total_cents=total_cents, currency=currency, since=self._since, now=self._now
        )
        return orjson.Fragment(render(found))


@lru_cache(maxsize=2048)
def _ahead(steps: PenaltySteps, total_cents: int, currency: str) -> tuple[datetime | None, str]:
    """The earliest instant at which a step begins (None: no step has one), and the JSON of all steps as of before it, without
    `[{"from":…,`. Remembered, because the rates of a stay are searched for again and again.
    """
    first = next((step.starts_at for step in steps if step.starts_at is not None), None)
    found = steps_json(steps, total_cents=total_cents, currency=currency, since=LONG_AGO, now=LONG_AGO)
    _, _, rest = render(found).decode().partition(f'"{rfc3339(LONG_AGO)}",')
    return first, rest


# --- GET /v1/operations ---------------------------------------------------------------------------------------------------
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
