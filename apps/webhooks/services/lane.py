"""What a sender thread does with a lane: sign and send, one delivery after the other.

It never touches the database.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from apps.common.encryption import decrypt
from apps.webhooks.causes import INTERNAL, LOST
from apps.webhooks.models import DeliveryStatus
from apps.webhooks.schedule import Outcome, Step, next_step
from apps.webhooks.sender.answer import Answer
from apps.webhooks.sender.client import Sender, complete_headers
from apps.webhooks.services.claim import Job, Lane
from apps.webhooks.signatures import signature_headers

logger = logging.getLogger(__name__)

LANE_SECONDS = (
    1.0  # then the rest is given back: what was claimed must not be sent long after the endpoint was disabled
)


@dataclass(frozen=True, slots=True)
class Made:
    """One attempt, to be recorded."""

    lane: Lane
    job: Job
    attempted_at: datetime
    headers: dict[str, str]
    answer: Answer

    @property
    def manual(self) -> bool:
        return self.job.status_before_resend is not None

    def step(self) -> Step:
        """What becomes of the delivery: the ladder's next step, or where a failed resend came from."""
        if self.job.status_before_resend and self.answer.outcome is not Outcome.ACCEPTED:
            return Step(DeliveryStatus(self.job.status_before_resend))
        return next_step(self.job.attempt, self.answer.outcome, self.attempted_at)


@dataclass(frozen=True, slots=True)
class Ended:
    """A lane's end, with the deliveries it did not come to; they are given back."""

    lane: Lane
    unsent: list[Job]


def send_lane(lane: Lane, *, sender: Sender, seconds: float, report: Callable[[Made | Ended], None]) -> None:
    """Send the lane's deliveries, `seconds` at most each; every attempt is reported as soon as it is made.

    A lane goes on only while it is young and the endpoint accepts: a failure is recorded, and may disable the
    endpoint, before the next one is claimed. Reports Ended last, whatever happens.
    """
    unsent = list(lane.jobs)
    try:
        while unsent:
            job = unsent.pop(0)
            made = _attempt(lane, job, sender, seconds)
            report(made)
            if made.answer.outcome is not Outcome.ACCEPTED or lane.age > LANE_SECONDS:
                break
    finally:
        report(Ended(lane, unsent))


def _attempt(lane: Lane, job: Job, sender: Sender, seconds: float) -> Made:
    attempted_at = lane.now()
    if job.worn_out:
        return Made(lane, job, attempted_at, {}, Answer(None, "", LOST, 0))
    body = job.payload.encode()
    try:
        headers = complete_headers(_signed(lane, job, attempted_at, body), body)
    except Exception:
        logger.exception("The webhook %s could not be signed", job.delivery_id)
        return Made(lane, job, attempted_at, {}, Answer(None, "", INTERNAL, 0))
    answer = sender.post(lane.url, headers=headers, body=body, seconds=seconds)
    return Made(lane, job, attempted_at, headers, answer)


def _signed(lane: Lane, job: Job, attempted_at: datetime, body: bytes) -> dict[str, str]:
    return signature_headers(
        event_id=job.event_id,
        timestamp=int(attempted_at.timestamp()),
        body=body,
        signing_secrets=[decrypt(secret) for secret in lane.secrets_encrypted],
    )
