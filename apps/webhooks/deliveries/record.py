"""Record what was sent: attempts, the deliveries they belong to, and the endpoints' counts of failures.

All results at hand are recorded in one transaction of three statements: lock the endpoints, change the deliveries and insert
their attempts, change the endpoints. An endpoint that this disables also gets an entry in the account's audit trail.

Results of an endpoint that another transaction has locked are left out, so that no other results wait for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import orjson
from django.db import connection, transaction

from apps.accounts.actors import AUTOMATIC
from apps.accounts.models import AuditAction
from apps.common import clock
from apps.webhooks import metrics
from apps.webhooks.deliveries.send import AttemptResult, BatchDone
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.retry_schedule import Step
from apps.webhooks.services.endpoints import record_change

MAX_CONSECUTIVE_FAILURES = 10

# Only under the lease's token: a delivery that another process claimed meanwhile is not changed; the late result is dropped.
MOVE_DELIVERIES = """
WITH result AS (
    SELECT * FROM jsonb_to_recordset(%(results)s::jsonb) AS result (
        delivery_id text, token uuid, status text, next_attempt_at timestamptz, completed_at timestamptz,
        attempted_at timestamptz, duration_ms int, lookup_ms int, connect_ms int, tls_ms int,
        first_byte_ms int, request_headers jsonb, status_code smallint, response_body text, error_code text,
        error text, counted boolean, manual boolean)
), moved AS (
    UPDATE webhooks_delivery d
       SET status = result.status,
           next_attempt_at = result.next_attempt_at,
           completed_at = coalesce(result.completed_at, d.completed_at),
           attempt_count = d.attempt_count + 1,
           status_before_resend = NULL,
           lease_token = NULL,
           lease_until = NULL
      FROM result
     WHERE d.id = result.delivery_id AND d.lease_token = result.token
    RETURNING d.id, d.endpoint_id, result.token, d.attempt_count + d.lost_count AS number
), attempt AS (
    INSERT INTO webhooks_attempt
           (delivery_id, endpoint_id, number, attempted_at, duration_ms, lookup_ms, connect_ms, tls_ms,
            first_byte_ms, request_headers, status_code, response_body, error_code, error, counted, manual)
    SELECT moved.id, moved.endpoint_id, moved.number, attempted_at, duration_ms, lookup_ms, connect_ms,
           tls_ms, first_byte_ms, request_headers, status_code, response_body, error_code, error, counted, manual
      FROM result JOIN moved ON moved.id = result.delivery_id AND moved.token = result.token
)
SELECT id, token FROM moved"""

Outcomes = Sequence[tuple[AttemptResult, Step]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of results."""

    attempts: int
    """How many were recorded."""
    skipped: Sequence[AttemptResult | BatchDone] = ()
    """Those whose endpoint is locked by another transaction, in their order: to be recorded later, under the same lease."""


@transaction.atomic
def record(results: Sequence[AttemptResult | BatchDone]) -> Recorded:
    """Record attempts in the order in which they were made, and give back what was not sent."""
    now = clock.now()
    endpoints = _lock_endpoints({result.batch.endpoint_id for result in results})
    skipped = [result for result in results if result.batch.endpoint_id not in endpoints]
    results = [result for result in results if result.batch.endpoint_id in endpoints]
    for result in results:
        if isinstance(result, BatchDone):
            _give_back(result)
    ahead = {endpoint.pk: endpoint.schedule_ahead for endpoint in endpoints.values()}
    outcomes = _move_deliveries(
        [(result, result.step()) for result in results if isinstance(result, AttemptResult)], now, ahead
    )
    transaction.on_commit(partial(count_attempts, outcomes))
    for endpoint in endpoints.values():
        of_endpoint = [(result, step) for result, step in outcomes if result.batch.endpoint_id == endpoint.id]
        if of_endpoint:
            _count(endpoint, of_endpoint, now + of_endpoint[-1][0].batch.ahead)
    return Recorded(len(outcomes), skipped)


def count_attempts(outcomes: Outcomes) -> None:
    """Count what was recorded."""
    for result, step in outcomes:
        metrics.ATTEMPTS.labels(step.status).inc()
        metrics.ATTEMPT_SECONDS.observe(result.answer.duration_ms / 1000)


def consecutive_failures(before: int, outcomes: Outcomes) -> int:
    """The endpoint's count after these results; at most ten, because ten disable the endpoint.

    A success sets it to zero. A delivery that ended FAILED or EXHAUSTED adds one. An attempt that will be repeated, and a resend
    that failed, change nothing.
    """
    count = before
    for result, step in outcomes:
        if count >= MAX_CONSECUTIVE_FAILURES:
            break
        if result.answer.cause is None:
            count = 0
        elif not result.manual and step.next_attempt_at is None:
            count += 1
    return count


def _count(endpoint: Endpoint, outcomes: Outcomes, now: datetime) -> None:
    if endpoint.status != EndpointStatus.ENABLED:
        return
    count = consecutive_failures(endpoint.consecutive_failures, outcomes)
    if count == endpoint.consecutive_failures:
        return
    changes: dict[str, Any] = {"consecutive_failures": count, "updated_at": now}
    if count >= MAX_CONSECUTIVE_FAILURES:
        changes |= {
            "status": EndpointStatus.DISABLED,
            "disabled_reason": DisabledReason.CONSECUTIVE_FAILURES,
            "disabled_at": now,
        }
    Endpoint.objects.filter(pk=endpoint.pk).update(**changes)
    if "status" in changes:
        disabled = Endpoint.objects.get(pk=endpoint.pk)
        record_change(disabled, AuditAction.ENDPOINT_DISABLED, AUTOMATIC, failures=count)


def _lock_endpoints(ids: set[str]) -> dict[str, Endpoint]:
    """Those that no other transaction has locked, by id. Endpoints are locked before deliveries everywhere: no deadlocks."""
    free = Endpoint.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=ids)
    columns = ("id", "status", "consecutive_failures", "schedule_ahead")
    return {endpoint.pk: endpoint for endpoint in free.only(*columns)}


def _give_back(done: BatchDone) -> None:
    """Free the deliveries that a batch did not reach. Nothing was attempted, so nothing is recorded."""
    unsent = [job.delivery_id for job in done.unsent]
    Delivery.objects.filter(pk__in=unsent, lease_token=done.batch.token).update(
        lease_token=None, lease_until=None
    )


def _move_deliveries(outcomes: Outcomes, now: datetime, ahead: dict[str, timedelta]) -> Outcomes:
    """Returns the outcomes that were recorded: those whose lease was still theirs."""
    if not outcomes:
        return []
    rows = [_row(result, step, now, ahead[result.batch.endpoint_id]) for result, step in outcomes]
    results = orjson.dumps(rows).decode()
    with connection.cursor() as cursor:
        cursor.execute(MOVE_DELIVERIES, {"results": results})
        moved = set(cursor.fetchall())
    return [pair for pair in outcomes if (pair[0].job.delivery_id, pair[0].batch.token) in moved]


def _row(result: AttemptResult, step: Step, now: datetime, ahead: timedelta) -> dict[str, object]:
    answer, timings = result.answer, result.answer.timings
    accepted = answer.cause is None
    finished_now = step.next_attempt_at is None and (accepted or not result.manual)
    return {
        "delivery_id": result.job.delivery_id,
        "token": result.batch.token,
        "status": DeliveryStatus(step.status),
        "next_attempt_at": step.next_attempt_at and step.next_attempt_at + ahead,
        "completed_at": now + result.batch.ahead if finished_now else None,
        "attempted_at": result.attempted_at + result.batch.ahead,
        "duration_ms": answer.duration_ms,
        "lookup_ms": timings.lookup_ms,
        "connect_ms": timings.connect_ms,
        "tls_ms": timings.tls_ms,
        "first_byte_ms": timings.first_byte_ms,
        "request_headers": result.headers,
        "status_code": answer.status_code,
        "response_body": answer.body,
        "error_code": answer.cause.code if answer.cause else "",
        "error": answer.cause.words if answer.cause else "",
        "counted": not result.manual,
        "manual": result.manual,
    }
