"""`cancellationSteps` on the wire: what cancelling costs at any instant from the answer on, the same for every product.

The first step is the one in force when the answer is made. It began when it came into force, and not before the search or the booking
was made: so an answer that is read again is the same until the next step begins.
"""

from datetime import datetime

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.clock import rfc3339
from apps.suppliers.penalty_steps import PenaltySteps

OVER = frozenset({Booking.CANCELLED, Booking.FAILED})

StepsJson = list[dict[str, object]]


def steps_json(
    steps: PenaltySteps | None, *, total_cents: int, currency: str, since: datetime, now: datetime
) -> StepsJson | None:
    """None for terms that nobody can read for certain. No step costs more than the total."""
    if steps is None:
        return None
    began, costs = since, 0
    later: StepsJson = []
    for step in steps:
        starts_at, penalty = step.starts_at, min(step.penalty_cents, total_cents)
        if starts_at is not None and starts_at > now:
            later.append({"from": rfc3339(starts_at), "penaltyCents": penalty, "currency": currency})
        else:
            began = since if starts_at is None or starts_at < since else starts_at
            costs = penalty
    return [{"from": rfc3339(began), "penaltyCents": costs, "currency": currency}, *later]


def steps_of_booking(booking: Booking, steps: PenaltySteps | None) -> StepsJson | None:
    """The same for a booking as it stands now. One that is cancelled or failed has nothing to cancel, and no steps."""
    if booking.status in OVER:
        return []
    return steps_json(
        steps,
        total_cents=booking.total_cents,
        currency=booking.currency,
        since=booking.created_at,
        now=clock.now(),
    )
