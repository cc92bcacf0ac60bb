"""`cancellationSteps` on the wire: what cancelling costs at any instant from the answer on, the same for every product.

The first step is the one in force when the answer is made. It began when it came into force, and not before the search or the
booking was made: so an answer that is read again is the same until the next step begins.
"""

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import orjson

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.clock import rfc3339
from apps.gateway.envelope import render
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
        now=clock.now(),
    )


# --- The offers of a search: many, and most of them before their first step -------------------------------------------
class OfferSteps:
    """Writes the steps of the offers in one answer, made at `now`, to what was searched for at `since`."""

    def __init__(self, *, since: datetime, now: datetime) -> None:
        self._since, self._now = since, now
        self._written = rfc3339(since)

    def json(self, steps: PenaltySteps | None, total_cents: int, currency: str) -> orjson.Fragment | None:
        """What `steps_json` says, as JSON."""
        if steps is None:
            return None
        first, costs, later = _ahead(steps, total_cents, currency)
        if first is None or self._now < first:
            return orjson.Fragment(
                f'[{{"from":"{self._written}","penaltyCents":{costs},"currency":"{currency}"}}{later}]'
            )
        found = steps_json(
            steps, total_cents=total_cents, currency=currency, since=self._since, now=self._now
        )
        return orjson.Fragment(render(found))


class _Ahead(NamedTuple):
    """What cancelling costs before the first step that has an instant, which begins at `first`; and the JSON of those steps."""

    first: datetime | None
    costs: int
    later: str


@lru_cache(maxsize=2048)
def _ahead(steps: PenaltySteps, total_cents: int, currency: str) -> _Ahead:
    """Remembered, because the rates of a stay are searched for again and again."""
    dated = [step for step in steps if step.starts_at is not None]
    costs = next((step.penalty_cents for step in reversed(steps) if step.starts_at is None), 0)
    written = (
        render(step_json(rfc3339(at), min(cents, total_cents), currency)).decode()
        for at, cents in dated
        if at is not None
    )
    first = dated[0].starts_at if dated else None
    return _Ahead(first, min(costs, total_cents), "".join(f",{one}" for one in written))
