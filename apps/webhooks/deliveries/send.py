"""What a sender thread does with a batch: sign and send one delivery after the other, without touching the database."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from apps.common import tracing
from apps.common.encryption import decrypt
from apps.webhooks.causes import INTERNAL, LOST
from apps.webhooks.deliveries.claim import Batch, Job
from apps.webhooks.models import DeliveryStatus
from apps.webhooks.retry_schedule import Outcome, Step, next_step
from apps.webhooks.sender import ReceiverAnswer, Sender, complete_headers
from apps.webhooks.signatures import signature_headers

logger = logging.getLogger(__name__)

BATCH_SECONDS = 1.0
"""Then the other deliveries are given back: a delivery must not be sent long after its endpoint was disabled."""

Report = Callable[["AttemptResult | BatchDone"], None]


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """One attempt and its answer, to be recorded."""

    batch: Batch
    job: Job
    attempted_at: datetime
    headers: dict[str, str]
    answer: ReceiverAnswer

    @property
    def manual(self) -> bool:
        """Whether it is a resend, which never counts."""
        return self.job.status_before_resend is not None

    def step(self) -> Step:
        """What becomes of the delivery: the retry schedule's next step; after a failed resend, its status before the resend."""
        if self.job.status_before_resend and self.answer.outcome is not Outcome.ACCEPTED:
            return Step(DeliveryStatus(self.job.status_before_resend))
        return next_step(self.job.attempt, self.answer.outcome, self.attempted_at)


@dataclass(frozen=True, slots=True)
class BatchDone:
    """The end of a batch. `unsent` are the deliveries it did not reach; they are given back."""

    batch: Batch
    unsent: list[Job]


def send_batch(batch: Batch, *, sender: Sender, seconds: float, report: Report) -> None:
    """Send the batch's deliveries, `seconds` at most each, and report each attempt as soon as it is made.

    It stops at the first failure and after BATCH_SECONDS: a failure may disable the endpoint, and must be recorded before the
    next delivery is sent. BatchDone is reported last, whatever happens.
    """
    unsent = list(batch.jobs)
    try:
        while unsent:
            job = unsent.pop(0)
            result = _attempt(batch, job, sender, seconds)
            report(result)
            if job.sent_twice and result.answer.outcome is Outcome.ACCEPTED:
                sender.post(batch.url, headers=result.headers, body=job.payload.encode(), seconds=seconds)
            if result.answer.outcome is not Outcome.ACCEPTED or batch.age > BATCH_SECONDS:
                break
    finally:
        report(BatchDone(batch, unsent))


def _attempt(batch: Batch, job: Job, sender: Sender, seconds: float) -> AttemptResult:
    attempted_at = batch.now()
    if job.worn_out:
        return AttemptResult(batch, job, attempted_at, {}, ReceiverAnswer(None, "", LOST, 0))
    body = job.payload.encode()
    try:
        headers = complete_headers(_signed(batch, job, attempted_at, body), body)
    except Exception:
        logger.exception("The webhook %s could not be signed", job.delivery_id)
        return AttemptResult(batch, job, attempted_at, {}, ReceiverAnswer(None, "", INTERNAL, 0))
    ids = {"delivery_id": job.delivery_id, "event_id": job.event_id, "endpoint_id": batch.endpoint_id}
    with tracing.continued(job.trace_context, "webhook delivery", client=True, **ids, attempt=job.attempt):
        answer = sender.post(batch.url, headers=headers, body=body, seconds=seconds)
        if answer.status_code is not None:
            tracing.note(status=answer.status_code)
        if answer.cause is not None:
            tracing.fail(answer.cause.code)
    return AttemptResult(batch, job, attempted_at, headers, answer)


def _signed(batch: Batch, job: Job, attempted_at: datetime, body: bytes) -> dict[str, str]:
    return signature_headers(
        event_id=job.event_id,
        timestamp=int(attempted_at.timestamp()),
        body=body,
        signing_secrets=[decrypt(secret) for secret in batch.secrets_encrypted],
    )
