"""Record what was sent: attempts, the deliveries they belong to, and the endpoints' counts of failures.

One transaction for however many results are at hand, three statements and none more: endpoints locked,
deliveries moved with their attempts inserted, endpoints changed. An endpoint that this disables is also told of in the trail.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from django.db import connection, transaction

from apps.accounts.actors import AUTOMATIC
from apps.accounts.models import AuditAction
from apps.common import clock
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.schedule import Step
from apps.webhooks.services.lane import Ended, Made
from apps.webhooks.services.trail import tell

MAX_CONSECUTIVE_FAILURES = 10

# Under the token: a row whose lease passed to somebody else is not touched, and its late result is not kept.
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
    RETURNING d.id, result.token, d.attempt_count + d.lost_count AS number
), attempt AS (
    INSERT INTO webhooks_attempt
           (delivery_id, number, attempted_at, duration_ms, lookup_ms, connect_ms, tls_ms, first_byte_ms,
            request_headers, status_code, response_body, error_code, error, counted, manual)
    SELECT moved.id, moved.number, attempted_at, duration_ms, lookup_ms, connect_ms, tls_ms, first_byte_ms,
           request_headers, status_code, response_body, error_code, error, counted, manual
      FROM result JOIN moved ON moved.id = result.delivery_id AND moved.token = result.token
)
SELECT id, token FROM moved"""

Outcomes = Sequence[tuple[Made, Step]]


@transaction.atomic
def record(results: Sequence[Made | Ended]) -> int:
    """Record attempts, in the order they were made, and give back what was not sent; how many attempts were
    recorded.
    """
    now = clock.now()
    endpoints = _lock_endpoints({result.lane.endpoint_id for result in results})
    for result in results:
        if isinstance(result, Ended):
            _give_back(result)
    outcomes = _move_deliveries(
        [(result, result.step()) for result in results if isinstance(result, Made)], now
    )
    for endpoint in endpoints:
        _count(
            endpoint, [(made, step) for made, step in outcomes if made.lane.endpoint_id == endpoint.id], now
        )
    return len(outcomes)


def consecutive_failures(before: int, outcomes: Outcomes) -> int:
    """The endpoint's count after these results. It stops at ten, where the endpoint is disabled.

    A success clears it; a delivery that ended FAILED or EXHAUSTED adds one; a try that will be repeated, or a
    resend that failed, changes nothing.
    """
    count = before
    for made, step in outcomes:
        if count >= MAX_CONSECUTIVE_FAILURES:
            break
        if made.answer.cause is None:
            count = 0
        elif not made.manual and step.next_attempt_at is None:
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
        tell(disabled, AuditAction.ENDPOINT_DISABLED, AUTOMATIC, failures=count)


def _lock_endpoints(ids: set[str]) -> list[Endpoint]:
    # Endpoints before deliveries, and in the order of ids: whoever else needs both waits, and never in a
    # ring.
    endpoints = Endpoint.objects.select_for_update(no_key=True).only("id", "status", "consecutive_failures")
    return list(endpoints.filter(pk__in=ids).order_by("pk"))


def _give_back(ended: Ended) -> None:
    """Free at once what a lane did not come to; nothing was tried, nothing is recorded."""
    unsent = [job.delivery_id for job in ended.unsent]
    Delivery.objects.filter(pk__in=unsent, lease_token=ended.lane.token).update(
        lease_token=None, lease_until=None
    )


def _move_deliveries(outcomes: Outcomes, now: datetime) -> Outcomes:
    """Those of the outcomes that were recorded: the lease was still theirs."""
    if not outcomes:
        return []
    results = orjson.dumps([_result(made, step, now) for made, step in outcomes]).decode()
    with connection.cursor() as cursor:
        cursor.execute(MOVE_DELIVERIES, {"results": results})
        moved = set(cursor.fetchall())
    return [pair for pair in outcomes if (pair[0].job.delivery_id, pair[0].lane.token) in moved]


def _result(made: Made, step: Step, now: datetime) -> dict[str, object]:
    answer, timings = made.answer, made.answer.timings
    accepted = answer.cause is None
    finished_now = step.next_attempt_at is None and (accepted or not made.manual)
    return {
        "delivery_id": made.job.delivery_id,
        "token": made.lane.token,
        "status": DeliveryStatus(step.status),
        "next_attempt_at": step.next_attempt_at,
        "completed_at": now if finished_now else None,
        "attempted_at": made.attempted_at,
        "duration_ms": answer.duration_ms,
        "lookup_ms": timings.lookup_ms,
        "connect_ms": timings.connect_ms,
        "tls_ms": timings.tls_ms,
        "first_byte_ms": timings.first_byte_ms,
        "request_headers": made.headers,
        "status_code": answer.status_code,
        "response_body": answer.body,
        "error_code": answer.cause.code if answer.cause else "",
        "error": answer.cause.words if answer.cause else "",
        "counted": not made.manual,
        "manual": made.manual,
    }
