"""Claim due deliveries of enabled endpoints, in batches: at most two of an endpoint at a time, in all processes together.

Because a batch is sent one delivery after the other, "two in flight per endpoint" holds; because it is up to 25 deliveries, a
busy endpoint does not cost a claim for every two of them.
"""

import sys
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from apps.common import clock
from apps.common.environments import Environment
from apps.webhooks.selectors import BATCHES_PER_ENDPOINT, ENDPOINTS_WITH_WORK
from apps.webhooks.services.alter_deliveries import altered
from apps.webhooks.services.batch import LEASE, MAX_LOST, Batch, ClaimedRow, batches_of
from apps.webhooks.services.lost_batches import free_the_rest, record_lost_attempts

ROWS_PER_BATCH = 25

# The endpoints with work are served in turn, from where the last claim stopped: ten thousand rows due at one of them delay no
# other. LATERAL looks at them in this order; a join could take another order and pass some by. The lock makes the count of
# batches below it reliable; a row that another dispatcher has locked is skipped. All sandboxes of a partner have one share.
PICK_ENDPOINTS = f"""
WITH {ENDPOINTS_WITH_WORK}
SELECT picked.id, picked.account_id
  FROM step
 CROSS JOIN LATERAL (
       SELECT e.id, COALESCE(a.sandbox_of_id, a.id) AS account_id
         FROM webhooks_endpoint e JOIN accounts_account a ON a.id = e.account_id
        WHERE e.id = step.endpoint_id
          AND e.status = 'enabled'
          AND e.environment = ANY (%(environments)s::text[])
          AND COALESCE(a.sandbox_of_id, a.id) <> ALL (%(full)s::text[])
          AND e.id <> ALL (%(passed_over)s::text[])
          AND EXISTS (SELECT FROM webhooks_delivery d
                       WHERE d.endpoint_id = e.id
                         AND d.account_id = e.account_id
                         AND d.next_attempt_at <= %(now)s::timestamptz + e.schedule_ahead
                         AND (d.lease_until IS NULL OR d.lease_until <= %(now)s::timestamptz))
          AND (SELECT count(DISTINCT d.lease_token) FROM webhooks_delivery d
                WHERE d.endpoint_id = e.id
                  AND d.lease_until > %(now)s::timestamptz) < %(batches_per_endpoint)s::int
          FOR NO KEY UPDATE OF e SKIP LOCKED) AS picked
 LIMIT %(batches)s::int"""  # noqa: S608

# A delivery whose account is not the endpoint's was written in the moment in which a sandbox was reset: it belongs to what was
# left behind. A second statement, because only a snapshot taken under the lock sees what the last holder of the lock leased.
LEASE_ROWS = """
WITH batch AS (
    SELECT batch.endpoint_id, batch.token, e.account_id, %(now)s::timestamptz + e.schedule_ahead AS until
      FROM unnest(%(endpoint_ids)s::text[], %(tokens)s::uuid[]) AS batch (endpoint_id, token)
      JOIN webhooks_endpoint e ON e.id = batch.endpoint_id
     WHERE (SELECT count(DISTINCT d.lease_token) FROM webhooks_delivery d
             WHERE d.endpoint_id = batch.endpoint_id
               AND d.lease_until > %(now)s::timestamptz) < %(batches_per_endpoint)s::int
), chosen AS (
    SELECT due.id, due.lost_count AS lost_before, batch.token, due.ahead,
           CASE WHEN row_number() OVER (PARTITION BY due.lease_token ORDER BY due.next_attempt_at, due.id) = 1
                THEN due.lease_until END AS lost_lease,
           due.lease_token AS lost_token
      FROM batch
     CROSS JOIN LATERAL (
           SELECT d.id, d.next_attempt_at, d.lease_token, d.lease_until, d.lost_count,
                  (SELECT s.clock_offset FROM accounts_sandbox s
                    WHERE s.account_id = d.account_id AND d.environment = 'test') AS ahead
             FROM webhooks_delivery d
            WHERE d.endpoint_id = batch.endpoint_id
              AND d.account_id = batch.account_id
              AND d.next_attempt_at <= batch.until
              AND (d.lease_until IS NULL OR d.lease_until <= %(now)s::timestamptz)
            ORDER BY d.next_attempt_at
            LIMIT %(rows_per_batch)s::int
              FOR UPDATE SKIP LOCKED) AS due
)
UPDATE webhooks_delivery d
   SET lease_token = chosen.token,
       lease_until = %(lease_until)s::timestamptz,
       lost_count = least(d.lost_count + (chosen.lost_lease IS NOT NULL)::int, %(max_lost)s::int)
  FROM chosen, webhooks_event event, webhooks_endpoint e
  LEFT JOIN accounts_sandbox sandbox ON sandbox.account_id = e.account_id AND e.environment = 'test'
 WHERE d.id = chosen.id AND event.id = d.event_id AND e.id = d.endpoint_id
RETURNING d.endpoint_id, e.account_id, e.environment, chosen.token, e.url, e.secret_encrypted,
          CASE WHEN e.previous_secret_expires_at > %(now)s::timestamptz + coalesce(chosen.ahead, interval '0')
               THEN e.previous_secret_encrypted ELSE '' END,
          d.id, d.event_id, event.payload, d.attempt_count, d.status_before_resend, d.next_attempt_at,
          chosen.lost_lease, chosen.lost_token, chosen.lost_before, coalesce(chosen.ahead, interval '0'),
          sandbox.faults, (SELECT a.sandbox_of_id FROM accounts_account a WHERE a.id = e.account_id),
          event.trace_context"""


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """Whose deliveries a claim may take."""

    environments: Sequence[str] = tuple(Environment.values)
    room: Callable[[str, Counter[str]], int] = lambda _account_id, _taken: sys.maxsize
    """How many more batches of an account, by its id, where these of it and of others are taken already."""
    full: Sequence[str] = ()
    """Accounts that may have no more batches."""
    passed_over: Sequence[str] = ()
    """Endpoints that had their turn already."""


def claim(*, batches: int, after: str = "", only: ClaimFilter = ClaimFilter()) -> list[Batch]:
    """At most `batches` batches of endpoints whose id comes after `after`, one each, in the order of the ids."""
    now = clock.now()
    with transaction.atomic(), connection.cursor() as cursor:
        endpoint_ids = _pick(now, batches, after, only)
        if not endpoint_ids:
            return []
        cursor.execute(
            LEASE_ROWS,
            {
                "now": now,
                "batches_per_endpoint": BATCHES_PER_ENDPOINT,
                "endpoint_ids": endpoint_ids,
                "tokens": [uuid.uuid4() for _ in endpoint_ids],
                "rows_per_batch": ROWS_PER_BATCH,
                "lease_until": now + LEASE,
                "max_lost": MAX_LOST,
            },
        )
        rows = [ClaimedRow(*row) for row in cursor.fetchall()]
        record_lost_attempts(rows)
        free_the_rest(rows)
    return [altered(batch) for batch in batches_of(rows, now)]


def _pick(now: datetime, batches: int, after: str, only: ClaimFilter) -> list[str]:
    """The ids of the endpoints whose turn it is, locked. Endpoints of an account without room are passed over."""
    picked: list[str] = []
    taken: Counter[str] = Counter()
    full = list(only.full)
    while (asked := batches - len(picked)) > 0:
        with connection.cursor() as cursor:
            cursor.execute(
                PICK_ENDPOINTS,
                {
                    "now": now,
                    "batches_per_endpoint": BATCHES_PER_ENDPOINT,
                    "after": after,
                    "batches": asked,
                    "environments": list(only.environments),
                    "full": full,
                    "passed_over": list(only.passed_over),
                },
            )
            found = cursor.fetchall()
        for endpoint_id, account_id in found:
            if only.room(account_id, taken) > 0:
                taken[account_id] += 1
                picked.append(endpoint_id)
        if len(found) < asked:
            break
        after = found[-1][0]
        full += [id for id in {account_id for _, account_id in found} if only.room(id, taken) <= 0]
    return picked
