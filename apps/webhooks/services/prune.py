"""Delete what is older than 30 days, in small batches, so that no delivery waits for it (specification §6, rule 7)."""

from datetime import datetime
from typing import Any

from django.db import connection

from apps.accounts import clocks
from apps.common import clock
from apps.common.environments import Environment
from apps.common.querysets import prune as forget
from apps.common.querysets import prune_by_id
from apps.webhooks.feed import place, place_what_ends
from apps.webhooks.models import (
    OPEN_EXAM,
    RETENTION,
    Attempt,
    Delivery,
    Endpoint,
    Event,
    EventFeed,
    Exam,
    Recovery,
    RecoveryItem,
)

BATCH = 5_000

# Each statement follows the primary key, which grows with time, from where the last batch stopped: nothing is read twice, and
# it needs no index of its own. It returns how many rows were deleted, where to continue, and whether the batch had old rows.
_PRUNE_DELIVERIES = """
WITH batch AS (
    SELECT id, created_at < %(before)s::timestamptz AS old FROM webhooks_delivery
     WHERE id > %(after)s::text ORDER BY id LIMIT %(batch)s::int
), gone AS (
    DELETE FROM webhooks_delivery d USING batch
     WHERE d.id = batch.id AND batch.old
       AND d.next_attempt_at IS NULL AND d.completed_at < %(before)s::timestamptz
       AND NOT EXISTS (SELECT FROM webhooks_attempt a WHERE a.delivery_id = d.id)
    RETURNING d.id
)
SELECT (SELECT count(*) FROM gone), (SELECT max(id) FROM batch), (SELECT bool_or(old) FROM batch)"""

# An event without a position in its feed, because it was committed late or a clock was moved meanwhile, stays. The next run
# gives it one and deletes it: only then do readers learn that they missed it.
_FORGET_EVENTS = """, gone AS (
    DELETE FROM webhooks_event e USING batch
     WHERE e.id = batch.id AND batch.old
       AND NOT EXISTS (SELECT FROM webhooks_delivery d WHERE d.event_id = e.id)
       AND (e.feed_position IS NOT NULL
            OR NOT EXISTS (SELECT FROM webhooks_eventfeed f
                            WHERE f.account_id = e.account_id AND f.environment = e.environment))
    RETURNING e.id, e.account_id, e.environment, e.feed_position
), newest AS (
    SELECT DISTINCT ON (account_id, environment) account_id, environment, id, feed_position FROM gone
     WHERE feed_position IS NOT NULL ORDER BY account_id, environment, feed_position DESC
), forgotten AS (
    UPDATE webhooks_eventfeed f SET forgotten_position = newest.feed_position, forgotten_event_id = newest.id
      FROM newest
     WHERE f.account_id = newest.account_id AND f.environment = newest.environment
       AND f.forgotten_position < newest.feed_position
)
SELECT (SELECT count(*) FROM gone), (SELECT max(id) FROM batch), (SELECT bool_or(old) FROM batch)"""

_PRUNE_EVENTS = f"""
WITH batch AS (
    SELECT id, created_at < %(before)s::timestamptz AS old FROM webhooks_event
     WHERE id > %(after)s::text ORDER BY id LIMIT %(batch)s::int
){_FORGET_EVENTS}"""  # noqa: S608

# Of sandboxes whose clock was moved, by that clock.
_PRUNE_EVENTS_THERE = f"""
WITH batch AS (
    SELECT e.id, true AS old FROM webhooks_event e JOIN accounts_sandbox s ON s.account_id = e.account_id
     WHERE e.environment = 'test' AND s.clock_offset > interval '0'
       AND e.created_at < %(before)s::timestamptz + s.clock_offset AND e.id > %(after)s::text
     ORDER BY e.id LIMIT %(batch)s::int
){_FORGET_EVENTS}"""  # noqa: S608


def prune(*, batch: int = BATCH) -> dict[str, int]:
    """Delete old attempts, then finished deliveries without any, then events without deliveries, recoveries with their items,
    and exams.

    Returns how many of each. An unfinished delivery stays however old it is: it waits for its endpoint to be enabled.
    """
    before = clock.now() - RETENTION
    prune_sandboxes(batch=batch)
    place_what_ends(before, batch=batch)
    return {
        "attempts": prune_by_id(Attempt.objects.all(), "attempted_at", before, batch=batch),
        "deliveries": _walk(_PRUNE_DELIVERIES, "", before, batch),
        "events": _walk(_PRUNE_EVENTS, "", before, batch),
        "recoveries": _prune_recoveries(before, batch),
        "exams": Exam.objects.filter(created_at__lt=before).exclude(status__in=OPEN_EXAM).delete()[0],
    }


def prune_sandboxes(*, batch: int = BATCH) -> int:
    """The same in test environments whose clock was moved, by that clock; in every environment at once. Returns how many rows.

    It runs first: what it leaves is not old by the real clock either. Otherwise such rows could end a walk too early.
    """
    if not clocks.any_moved():
        return 0
    before = clock.now() - RETENTION
    attempts = clocks.older_there(Attempt.objects.all(), "attempted_at", before, through="delivery__")
    finished = Delivery.objects.filter(next_attempt_at=None, attempts=None)
    deliveries = clocks.older_there(
        clocks.older_there(finished, "completed_at", before), "created_at", before
    )
    items = clocks.older_there(
        RecoveryItem.objects.all(), "recovery__created_at", before, through="recovery__"
    )
    _place_what_ends_there(before)
    gone = sum(forget(rows, batch=batch) for rows in (attempts, items, deliveries))
    return gone + _walk(_PRUNE_EVENTS_THERE, "", before, batch)


def _place_what_ends_there(before: datetime) -> None:
    """As `place_what_ends`: readers of the feed learn that they missed it."""
    ending = clocks.older_there(Event.objects.filter(feed_position=None), "created_at", before)
    feeds = EventFeed.objects.filter(account_id__in=ending.values("account_id"), environment=Environment.TEST)
    for account_id in feeds.values_list("account_id", flat=True):
        while place(account_id, Environment.TEST):
            pass


def _walk(statement: str, after: Any, before: datetime, batch: int) -> int:
    """Run `statement` batch after batch, each in a transaction of its own, until one contains nothing old."""
    total = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(statement, {"after": after, "before": before, "batch": batch})
            gone, last, any_old = cursor.fetchone() or (0, None, None)
        total += gone
        if not any_old:
            return total
        after = last


def _prune_recoveries(before: datetime, batch: int) -> int:
    prune_by_id(RecoveryItem.objects.all(), "recovery__created_at", before, batch=batch)
    return Recovery.objects.filter(created_at__lt=before, items=None).delete()[0]


def prune_retired(account_id: str, *, batch: int = BATCH) -> bool:
    """Delete all of a test environment that was reset or closed long ago. Returns whether nothing is left.

    An endpoint that moved on belongs to another one. One that stayed behind stays as long as deliveries of another refer to it.
    """
    there: dict[str, Any] = {"account": account_id, "environment": Environment.TEST}
    endpoints = Endpoint.objects.filter(**there)
    for rows in (
        Attempt.objects.filter(delivery__account=account_id, delivery__environment=Environment.TEST),
        RecoveryItem.objects.filter(recovery__account=account_id, recovery__environment=Environment.TEST),
        Recovery.objects.filter(**there),
        Delivery.objects.filter(**there),
        Event.objects.filter(**there),
        Exam.objects.filter(**there),
        EventFeed.objects.filter(**there),
        endpoints.filter(deliveries=None, exams=None, recoveries=None),
    ):
        forget(rows, batch=batch)
    return not endpoints.exists()
