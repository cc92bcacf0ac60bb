"""Claim due deliveries of enabled endpoints, in batches: at most two of an endpoint at a time, in all processes together.

A batch is up to 25 due deliveries of one endpoint, claimed under one lease and sent one after the other: so "two in flight per
endpoint" holds, and a busy endpoint does not cost a claim for every two of them.

If the lease of a batch ended without results, the process that sent it died. Its first delivery was being sent: that attempt
counts as lost. The others had not been reached, and are free.
"""

import logging
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from time import monotonic
from typing import NamedTuple

import orjson
from django.db import DatabaseError, connection, transaction

from apps.accounts.faults import Faults, next_deliveries
from apps.common import clock
from apps.common.environments import Environment
from apps.webhooks.causes import LOST
from apps.webhooks.selectors import BATCHES_PER_ENDPOINT, ENDPOINTS_WITH_WORK

LEASE = timedelta(seconds=30)  # protects claimed deliveries from being sent by another process
MAX_LOST = 5  # attempts without a result that are repeated and not counted; the next one counts as a failure


@dataclass(frozen=True, slots=True)
class Job:
    """One claimed delivery. `attempt` is the number that this attempt has if it counts (from 1).

    `due_at` is in the schedule of the endpoint, for their order. One that is `worn_out` was lost too often: it is recorded as a
    failure and not sent. `trace_context` is the span in which the event was written, if its trace is recorded. `sent_twice`: the
    sandbox is set to send it a second time once it was accepted, as after a lost answer.
    """

    delivery_id: str
    event_id: str
    payload: str
    attempt: int
    status_before_resend: str | None
    due_at: datetime
    worn_out: bool
    trace_context: bytes | None = None
    sent_twice: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Claimed deliveries of one endpoint. `token` names the lease, `claimed_at` is the database's time.

    `ahead` is how far the clock of the endpoint's test environment is ahead: attempts are signed in real time and recorded
    in its own. `faults` are its own too. `owner_id` is the partner if `account_id` is one of its test environments.
    """

    endpoint_id: str
    account_id: str
    environment: str
    token: uuid.UUID
    url: str
    secrets_encrypted: tuple[str, ...]
    claimed_at: datetime
    jobs: list[Job]
    ahead: timedelta
    faults: Faults = field(default_factory=Faults)
    owner_id: str = ""
    claimed_monotonic: float = field(default_factory=monotonic)

    def now(self) -> datetime:
        """The database's time, for threads that have no connection to ask it."""
        return self.claimed_at + timedelta(seconds=self.age)

    @property
    def share_of(self) -> str:
        """Whose share of a dispatcher it takes: a partner has one for all its test environments."""
        return self.owner_id or self.account_id

    @property
    def age(self) -> float:
        """Seconds since the claim."""
        return monotonic() - self.claimed_monotonic


class ClaimedRow(NamedTuple):
    """One delivery as `LEASE_ROWS` returns it.

    `lost_lease` is the end of the lease under which an attempt was lost, `lost_token` the token of a lease that ended without a
    result; each None if there was none.
    """

    endpoint_id: str
    account_id: str
    environment: str
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
    lost_token: uuid.UUID | None
    lost_before: int
    ahead: timedelta
    faults: str | None
    owner_id: str | None
    trace_context: bytes | None

    @property
    def is_worn_out(self) -> bool:
        return self.lost_lease is not None and self.lost_before >= MAX_LOST

    def job(self) -> Job:
        return Job(
            delivery_id=self.delivery_id,
            event_id=self.event_id,
            payload=self.payload,
            attempt=self.attempt_count + 1,
            status_before_resend=self.status_before_resend,
            due_at=self.due_at,
            worn_out=self.is_worn_out,
            trace_context=self.trace_context,
        )


def batches_of(rows: Sequence[ClaimedRow], now: datetime) -> list[Batch]:
    """A batch for each endpoint, in the order of their ids; its deliveries in the order in which they were due."""
    ordered = sorted(rows, key=attrgetter("endpoint_id", "due_at", "delivery_id"))
    return [
        Batch(
            endpoint_id=first.endpoint_id,
            account_id=first.account_id,
            environment=first.environment,
            token=first.token,
            url=first.url,
            secrets_encrypted=tuple(filter(None, (first.secret, first.previous_secret))),
            claimed_at=now,
            jobs=[row.job() for row in (first, *others)],
            ahead=first.ahead,
            faults=Faults.of(orjson.loads(first.faults)) if first.faults else Faults(),
            owner_id=first.owner_id or "",
        )
        for _, (first, *others) in groupby(ordered, key=attrgetter("endpoint_id"))
    ]


RECORD_LOST = """
INSERT INTO webhooks_attempt
       (delivery_id, endpoint_id, number, attempted_at, duration_ms, request_headers, response_body,
        error_code, error, counted, manual)
SELECT d.id, d.endpoint_id, d.attempt_count + d.lost_count, lost.attempted_at, 0, '{}', '',
       %(code)s::text, %(words)s::text, false, d.status_before_resend IS NOT NULL
  FROM unnest(%(ids)s::text[], %(attempted_at)s::timestamptz[]) AS lost (id, attempted_at)
  JOIN webhooks_delivery d ON d.id = lost.id"""


# The rows beyond the size of this claim. With the old token, the next claim would take the first of them for another
# lost attempt.
FREE_THE_REST = """
UPDATE webhooks_delivery SET lease_token = NULL, lease_until = NULL
 WHERE endpoint_id = ANY(%(endpoint_ids)s::text[]) AND lease_token = ANY(%(tokens)s::uuid[])"""


def record_lost_attempts(rows: Sequence[ClaimedRow]) -> None:
    """Show each lost attempt in the history; it is not counted, and will be repeated."""
    lost = {
        row.delivery_id: row.lost_lease - LEASE + row.ahead
        for row in rows
        if row.lost_lease and not row.is_worn_out
    }
    if lost:
        with connection.cursor() as cursor:
            cursor.execute(
                RECORD_LOST,
                {
                    "ids": list(lost),
                    "attempted_at": list(lost.values()),
                    "code": LOST.code,
                    "words": LOST.words,
                },
            )


def free_the_rest(rows: Sequence[ClaimedRow]) -> None:
    """Free what is left of the batches from which these rows were claimed again."""
    reclaimed = [row for row in rows if row.lost_token]
    if reclaimed:
        endpoint_ids, tokens = [row.endpoint_id for row in reclaimed], [row.lost_token for row in reclaimed]
        with connection.cursor() as cursor:
            cursor.execute(FREE_THE_REST, {"endpoint_ids": endpoint_ids, "tokens": tokens})


logger = logging.getLogger(__name__)


def altered(batch: Batch) -> Batch:
    """The batch as it is to be sent. Call it after the claim's transaction, so that no transaction waits for its locks."""
    if not batch.faults.alters_deliveries:
        return batch
    try:
        first = next_deliveries(batch.account_id, len(batch.jobs))
    except DatabaseError:  # the batch is claimed, and is sent as it is
        logger.warning("Faults could not be planted in webhooks", exc_info=True)
        return batch
    if first is None:
        return batch
    numbered = sorted(enumerate(batch.jobs, first), key=lambda one: batch.faults.place(one[0]))
    jobs = [replace(job, sent_twice=batch.faults.sends_twice(number)) for number, job in numbered]
    return replace(batch, jobs=jobs)


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
    """Whose deliveries a claim may take: none of accounts that are `full`, or of endpoints that had their turn (`passed_over`).

    `capacity` is how many more batches an account may have, by its id, if these of it and of others are taken already.
    """

    environments: Sequence[str] = tuple(Environment.values)
    capacity: Callable[[str, Counter[str]], int] = lambda _account_id, _taken: sys.maxsize
    full: Sequence[str] = ()
    passed_over: Sequence[str] = ()


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
    """The ids of the endpoints whose turn it is, locked, without those of accounts that may have no more batches."""
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
            if only.capacity(account_id, taken) > 0:
                taken[account_id] += 1
                picked.append(endpoint_id)
        if len(found) < asked:
            break
        after = found[-1][0]
        full += [id for id in {account_id for _, account_id in found} if only.capacity(id, taken) <= 0]
    return picked
