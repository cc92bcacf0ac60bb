"""When a delivery is sent again: a pure function of the attempt's number, its outcome and its time (specification §6)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from apps.webhooks.models import DeliveryStatus

RETRY_DELAYS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=24),
)
MAX_ATTEMPTS = len(RETRY_DELAYS) + 1


class Outcome(Enum):
    """How one attempt ended."""

    ACCEPTED = "accepted"  # any 2xx in time
    REFUSED_FOR_GOOD = "refused for good"  # 410
    FAILED = "failed"  # anything else: another status, no answer, no connection


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of a delivery after an attempt; `next_attempt_at` is None when it is finished."""

    status: DeliveryStatus
    next_attempt_at: datetime | None = None


def outcome_of(status_code: int | None) -> Outcome:
    """The outcome that a status code means; None: there was no complete answer."""
    if status_code is not None and 200 <= status_code <= 299:
        return Outcome.ACCEPTED
    return Outcome.REFUSED_FOR_GOOD if status_code == 410 else Outcome.FAILED


def next_step(attempt: int, outcome: Outcome, attempted_at: datetime) -> Step:
    """The step after counted attempt number `attempt` (from 1).

    A delay counts from the start of the attempt, so that an answer which takes ten seconds does not move the schedule.
    """
    if outcome is Outcome.ACCEPTED:
        return Step(DeliveryStatus.DELIVERED)
    if outcome is Outcome.REFUSED_FOR_GOOD:
        return Step(DeliveryStatus.FAILED)
    if attempt >= MAX_ATTEMPTS:
        return Step(DeliveryStatus.EXHAUSTED)
    return Step(DeliveryStatus.RETRYING, attempted_at + RETRY_DELAYS[attempt - 1])
