"""Reads: partner data by account and environment, and how late deliveries are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from django.db import connection
from django.db.models import Count, Model, Q, QuerySet
from django.db.models.functions import TruncHour

from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.common.querysets import id_begins
from apps.webhooks.models import (
    NOT_ACCEPTED,
    UNFINISHED,
    Attempt,
    Delivery,
    DeliveryStatus,
    Endpoint,
    EndpointStatus,
    Exam,
    ItemState,
    Recovery,
)

SECRETS = ("endpoint__secret_encrypted", "endpoint__previous_secret_encrypted")
"""Columns of a delivery's endpoint that no list needs."""

# The ids of the endpoints with unfinished deliveries, after the endpoint %(after)s. Each is found by one descent of the index, so
# the cost does not depend on how many rows wait at one of them.
ENDPOINTS_WITH_WORK = """
RECURSIVE step AS (
    (SELECT endpoint_id FROM webhooks_delivery
      WHERE next_attempt_at IS NOT NULL AND endpoint_id > %(after)s::text
      ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhooks_delivery d
             WHERE d.next_attempt_at IS NOT NULL AND d.endpoint_id > step.endpoint_id
             ORDER BY d.endpoint_id LIMIT 1)
      FROM step WHERE step.endpoint_id IS NOT NULL
)"""

BATCHES_PER_ENDPOINT = 2

# Left out is what `deliveries/claim.py` does not claim: deliveries whose endpoint belongs to another account by now, and those of
# an endpoint that has its two batches under way. A receiver that hangs delays its own deliveries alone.
NEXT_DUE = f"""
WITH {ENDPOINTS_WITH_WORK}
SELECT min(greatest(head.next_attempt_at - e.schedule_ahead, e.due_from))
  FROM step
  JOIN webhooks_endpoint e ON e.id = step.endpoint_id AND e.status = 'enabled'
   AND (SELECT count(DISTINCT d.lease_token) FROM webhooks_delivery d
         WHERE d.endpoint_id = e.id
           AND d.lease_until > %(now)s::timestamptz) < {BATCHES_PER_ENDPOINT}
 CROSS JOIN LATERAL (
       SELECT d.next_attempt_at FROM webhooks_delivery d
        WHERE d.endpoint_id = e.id
          AND d.account_id = e.account_id
          AND d.next_attempt_at IS NOT NULL
          AND (d.lease_until IS NULL OR d.lease_until <= %(now)s::timestamptz)
        ORDER BY d.next_attempt_at LIMIT 1) AS head"""  # noqa: S608


Row = TypeVar("Row", bound=Model)


def _found(rows: QuerySet[Row], pk: str, what: str) -> Row:
    row = rows.filter(pk=pk).first()
    if row is None:
        raise NotFound(f"There is no such {what}.", ours=True)
    return row


def endpoints_of(account_id: str, environment: str) -> QuerySet[Endpoint]:
    """The endpoints that were not deleted, newest first."""
    endpoints = Endpoint.objects.filter(account_id=account_id, environment=environment, deleted_at=None)
    return endpoints.order_by("-created_at", "-id")


def endpoint_of(account_id: str, environment: str, endpoint_id: str) -> Endpoint:
    """One endpoint; raises NotFound for an unknown, foreign or deleted one."""
    return _found(endpoints_of(account_id, environment), endpoint_id, "webhook endpoint")


def lock_endpoint(endpoint: Endpoint, *, deleted: bool = False) -> Endpoint:
    """The endpoint as it is now, locked; events may still be written for it.

    Raises NotFound where it was deleted meanwhile.
    """
    locked = Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint.pk)
    if locked.deleted_at is not None and not deleted:
        raise NotFound("There is no such webhook endpoint.", ours=True)
    return locked


def refuse_disabled(endpoint: Endpoint) -> None:
    """Raises Conflict unless it is enabled."""
    if endpoint.status != EndpointStatus.ENABLED:
        raise Conflict("This endpoint is disabled; enable it first.", ours=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryQuery:
    """Which deliveries are listed; None does not narrow it. `status` as on the wire, in any case; `statuses` are several.

    `called` is the beginning of the id of a delivery or of an event. `since` is included, `until` is not.
    """

    status: str | None = None
    statuses: Sequence[str] | None = None
    event_type: str | None = None
    endpoint_id: str | None = None
    called: str = ""
    since: datetime | None = None
    until: datetime | None = None


def deliveries_of(
    account_id: str, environment: str, query: DeliveryQuery = DeliveryQuery()
) -> QuerySet[Delivery]:
    """Deliveries, newest first, those of deleted endpoints included."""
    conditions = {
        "status": query.status and query.status.upper(),
        "status__in": query.statuses,
        "event_type": query.event_type,
        "endpoint_id": query.endpoint_id,
        "created_at__gte": query.since,
        "created_at__lt": query.until,
    }
    narrowed = {name: value for name, value in conditions.items() if value is not None}
    deliveries = Delivery.objects.filter(account_id=account_id, environment=environment, **narrowed)
    if query.called:
        of_event = query.called.lower().startswith("evt")
        deliveries = deliveries.filter(id_begins("event_id" if of_event else "id", query.called))
    return deliveries.order_by("-created_at", "-id")


def delivery_of(account_id: str, environment: str, delivery_id: str) -> Delivery:
    """One delivery with its event and endpoint; raises NotFound for an unknown or foreign one."""
    deliveries = deliveries_of(account_id, environment).select_related("event", "endpoint")
    return _found(deliveries, delivery_id, "delivery")


def attempts_of(delivery: Delivery) -> QuerySet[Attempt]:
    """Every stored attempt, in order, also resends and lost ones (`counted` is false)."""
    return Attempt.objects.filter(delivery=delivery).order_by("number")


COUNTS = {
    "delivered": Count("pk", filter=Q(status=DeliveryStatus.DELIVERED)),
    "ended": Count("pk", filter=Q(status__in=NOT_ACCEPTED)),
    "unfinished": Count("pk", filter=Q(status__in=UNFINISHED)),
}


@dataclass(frozen=True, slots=True)
class EndpointHour:
    """What became of the deliveries to one endpoint that were begun in one hour; `hour` is its first instant, UTC."""

    hour: datetime
    delivered: int
    ended: int
    unfinished: int


def deliveries_by_endpoint_and_hour(
    account_id: str, environment: str, *, since: datetime
) -> dict[str, list[EndpointHour]]:
    """For each endpoint its hours since then that had a delivery, in one statement."""
    begun = Delivery.objects.filter(account_id=account_id, environment=environment, created_at__gte=since)
    rows = begun.values_list("endpoint_id", TruncHour("created_at", tzinfo=UTC)).annotate(**COUNTS)
    found: dict[str, list[EndpointHour]] = {}
    for endpoint_id, *counted in rows:
        found.setdefault(endpoint_id, []).append(EndpointHour(*counted))
    return found


def recoveries_of(account_id: str, environment: str) -> QuerySet[Recovery]:
    """Recoveries with their endpoints, newest first."""
    recoveries = Recovery.objects.filter(account_id=account_id, environment=environment)
    return recoveries.select_related("endpoint").order_by("-created_at", "-id")


def recoveries_to(endpoint: Endpoint) -> QuerySet[Recovery]:
    """The recoveries of one endpoint, newest first."""
    return recoveries_of(endpoint.account_id, endpoint.environment).filter(endpoint=endpoint)


def recovery_of(account_id: str, environment: str, recovery_id: str) -> Recovery:
    """One recovery; raises NotFound for an unknown or foreign one."""
    return _found(recoveries_of(account_id, environment), recovery_id, "recovery")


def exams_of(account_id: str, environment: str) -> QuerySet[Exam]:
    """Exams with their endpoints, newest first."""
    exams = Exam.objects.filter(account_id=account_id, environment=environment)
    return exams.select_related("endpoint").order_by("-created_at", "-id")


def exam_of(account_id: str, environment: str, exam_id: str) -> Exam:
    """One exam; raises NotFound for an unknown or foreign one."""
    return _found(exams_of(account_id, environment), exam_id, "exam")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a recovery is, in events; they add up to `total`."""

    waiting: int
    sent: int
    delivered: int
    not_accepted: int
    skipped: int

    @property
    def total(self) -> int:
        return self.waiting + self.sent + self.delivered + self.not_accepted + self.skipped


def progress_of(recovery: Recovery) -> Progress:
    """As of the sweep's last step."""
    counts = Counter(dict(recovery.items.values_list("state").annotate(Count("pk"))))
    return Progress(**{state.value: counts[state] for state in ItemState})


def next_due_at() -> datetime | None:
    """When the next delivery that may be sent is or was due; None when nothing waits for a time."""
    with connection.cursor() as cursor:
        cursor.execute(NEXT_DUE, {"after": "", "now": clock.now()})
        due_at: datetime | None = (cursor.fetchone() or (None,))[0]
    return due_at


def due_lag() -> float:
    """By how many seconds the most overdue delivery is late that could be sent and is not being sent; 0 without one."""
    due_at = next_due_at()
    return max(0.0, (clock.now() - due_at).total_seconds()) if due_at is not None else 0.0
