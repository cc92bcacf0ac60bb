"""Claim due deliveries: leased rows of enabled endpoints, in lanes, at most two lanes in use per endpoint
anywhere.

A lane is up to 25 due rows of one endpoint under one lease, sent one after the other. So "two in flight per
endpoint" holds across processes, while a busy endpoint does not cost a claim for every two rows.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from time import monotonic
from typing import Any

from django.db import connection, transaction

from apps.common import clock
from apps.webhooks.causes import LOST
from apps.webhooks.selectors import ENDPOINTS_WITH_WORK

LEASE = timedelta(seconds=30)
LANES_PER_ENDPOINT = 2
ROWS_PER_LANE = 25
MAX_LOST = 5  # attempts without a result that are repeated and not counted; the next one counts as a failure

# Round and round through the endpoints with work, from where the last claim stopped: ten thousand rows due at
# one of them make nobody wait. Each is looked at in its turn (LATERAL: no join may take them in another order,
# which would pass some by). The lock, skipped where another dispatcher has it, makes the count of lanes below
# it a true one.
PICK_ENDPOINTS = f"""
WITH {ENDPOINTS_WITH_WORK}
SELECT picked.id
  FROM step
 CROSS JOIN LATERAL (
       SELECT e.id FROM webhooks_endpoint e
        WHERE e.id = step.endpoint_id
          AND e.status = 'enabled'
          AND EXISTS (SELECT FROM webhooks_delivery d
                       WHERE d.endpoint_id = e.id
                         AND d.next_attempt_at <= %(now)s::timestamptz
                         AND (d.lease_until IS NULL OR d.lease_until <= %(now)s::timestamptz))
          AND (SELECT count(DISTINCT d.lease_token) FROM webhooks_delivery d
                WHERE d.endpoint_id = e.id
                  AND d.lease_until > %(now)s::timestamptz) < %(lanes_per_endpoint)s::int
          FOR NO KEY UPDATE SKIP LOCKED) AS picked
 LIMIT %(lanes)s::int"""  # noqa: S608

# A second statement, because only a snapshot taken under the lock sees what the last holder of the lock
# leased.
LEASE_ROWS = """
WITH lane AS (
    SELECT * FROM unnest(%(endpoint_ids)s::text[], %(tokens)s::uuid[]) AS lane (endpoint_id, token)
     WHERE (SELECT count(DISTINCT d.lease_token) FROM webhooks_delivery d
             WHERE d.endpoint_id = lane.endpoint_id
               AND d.lease_until > %(now)s::timestamptz) < %(lanes_per_endpoint)s::int
), chosen AS (
    SELECT due.id, due.lease_until AS lost_lease, due.lost_count AS lost_before, lane.token
      FROM lane
     CROSS JOIN LATERAL (
           SELECT d.id, d.lease_until, d.lost_count FROM webhooks_delivery d
            WHERE d.endpoint_id = lane.endpoint_id
              AND d.next_attempt_at <= %(now)s::timestamptz
              AND (d.lease_until IS NULL OR d.lease_until <= %(now)s::timestamptz)
            ORDER BY d.next_attempt_at
            LIMIT %(rows_per_lane)s::int
              FOR UPDATE SKIP LOCKED) AS due
)
UPDATE webhooks_delivery d
   SET lease_token = chosen.token,
       lease_until = %(lease_until)s::timestamptz,
       lost_count = least(d.lost_count + (chosen.lost_lease IS NOT NULL)::int, %(max_lost)s::int)
  FROM chosen, webhooks_event event, webhooks_endpoint e
 WHERE d.id = chosen.id AND event.id = d.event_id AND e.id = d.endpoint_id
RETURNING d.endpoint_id, chosen.token, e.url, e.secret_encrypted,
          CASE WHEN e.previous_secret_expires_at > %(now)s::timestamptz
               THEN e.previous_secret_encrypted ELSE '' END,
          d.id, d.event_id, event.payload, d.attempt_count, d.status_before_resend, d.next_attempt_at,
          chosen.lost_lease, chosen.lost_before"""

RECORD_LOST = """
INSERT INTO webhooks_attempt
       (delivery_id, number, attempted_at, duration_ms, request_headers, response_body, error_code, error,
        counted, manual)
SELECT d.id, d.attempt_count + d.lost_count, lost.attempted_at, 0, '{}', '', %(code)s::text, %(words)s::text,
       false, d.status_before_resend IS NOT NULL
  FROM unnest(%(ids)s::text[], %(attempted_at)s::timestamptz[]) AS lost (id, attempted_at)
  JOIN webhooks_delivery d ON d.id = lost.id"""


@dataclass(frozen=True, slots=True)
class Job:
    """One claimed delivery. `attempt` is the number on the ladder that this try would be."""

    delivery_id: str
    event_id: str
    payload: str
    attempt: int
    status_before_resend: str | None
    due_at: datetime
    worn_out: bool
    """Lost too often: to be recorded as a failure, not to be sent."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Claimed deliveries of one endpoint, to be sent one after the other."""

    endpoint_id: str
    token: uuid.UUID
    url: str
    secrets_encrypted: tuple[str, ...]
    claimed_at: datetime
    jobs: list[Job]
    claimed_monotonic: float = field(default_factory=monotonic)

    def now(self) -> datetime:
        """The database's time, for threads that have no connection to ask it."""
        return self.claimed_at + timedelta(seconds=self.age)

    @property
    def age(self) -> float:
        """Seconds since the claim."""
        return monotonic() - self.claimed_monotonic


@dataclass(frozen=True, slots=True)
class _Row:
    endpoint_id: str
    token: uuid.UUID
    url: str
    secret: str
    previous_secret: str
    delivery_id: str
    event_id: str
    payload: str
    attempt_count: int
    status_before_resend: str | None
    due_at: datetime
    lost_lease: datetime | None
    lost_before: int

    @property
    def is_worn_out(self) -> bool:
        return self.lost_lease is not None and self.lost_before >= MAX_LOST


def claim(*, lanes: int, after: str = "") -> list[Lane]:
    """At most `lanes` lanes, of endpoints whose id comes after `after`; by endpoint."""
    now = clock.now()
    limits: dict[str, Any] = {"now": now, "lanes_per_endpoint": LANES_PER_ENDPOINT}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(PICK_ENDPOINTS, {**limits, "after": after, "lanes": lanes})
        endpoint_ids = [endpoint_id for (endpoint_id,) in cursor.fetchall()]
        if not endpoint_ids:
            return []
        cursor.execute(
            LEASE_ROWS,
            {
                **limits,
                "endpoint_ids": endpoint_ids,
                "tokens": [uuid.uuid4() for _ in endpoint_ids],
                "rows_per_lane": ROWS_PER_LANE,
                "lease_until": now + LEASE,
                "max_lost": MAX_LOST,
            },
        )
        rows = [_Row(*row) for row in cursor.fetchall()]
        _record_lost([row for row in rows if row.lost_lease and not row.is_worn_out])
    return _lanes(rows, now)


def _lanes(rows: Sequence[_Row], now: datetime) -> list[Lane]:
    ordered = sorted(rows, key=attrgetter("endpoint_id", "due_at", "delivery_id"))
    return [_lane(list(group), now) for _, group in groupby(ordered, key=attrgetter("endpoint_id"))]


def _lane(rows: Sequence[_Row], now: datetime) -> Lane:
    first = rows[0]
    return Lane(
        endpoint_id=first.endpoint_id,
        token=first.token,
        url=first.url,
        secrets_encrypted=tuple(filter(None, (first.secret, first.previous_secret))),
        claimed_at=now,
        jobs=[
            Job(
                delivery_id=row.delivery_id,
                event_id=row.event_id,
                payload=row.payload,
                attempt=row.attempt_count + 1,
                status_before_resend=row.status_before_resend,
                due_at=row.due_at,
                worn_out=row.is_worn_out,
            )
            for row in rows
        ],
    )


def _record_lost(rows: Sequence[_Row]) -> None:
    """A lease ended without a result: the try is shown, and not counted."""
    if not rows:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            RECORD_LOST,
            {
                "ids": [row.delivery_id for row in rows],
                "attempted_at": [row.lost_lease - LEASE for row in rows if row.lost_lease],
                "code": LOST.code,
                "words": LOST.words,
            },
        )
