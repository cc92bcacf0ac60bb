"""Delete what is older than 30 days, in small batches, so that no delivery waits for it (specification §6, rule 7)."""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from apps.common import clock
from apps.webhooks.models import OPEN_EXAM, Endpoint, Exam, Recovery
from apps.webhooks.services.endpoints import close_unfinished
from apps.webhooks.services.place import place_what_ends
from apps.webhooks.services.retire import end_late_deliveries

RETENTION = timedelta(days=30)
BATCH = 5_000

# Each statement follows the primary key, which grows with time, from where the last batch stopped: nothing is read twice, and it
# needs no index of its own. It returns how many rows were deleted, where to go on, and whether the batch had old rows.
_PRUNE_ATTEMPTS = """
WITH batch AS (
    SELECT id, attempted_at < %(before)s::timestamptz AS old FROM webhooks_attempt
     WHERE id > %(after)s::bigint ORDER BY id LIMIT %(batch)s::int
), gone AS (
    DELETE FROM webhooks_attempt a USING batch WHERE a.id = batch.id AND batch.old RETURNING a.id
)
SELECT (SELECT count(*) FROM gone), (SELECT max(id) FROM batch), (SELECT bool_or(old) FROM batch)"""

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

_PRUNE_EVENTS = """
WITH batch AS (
    SELECT id, created_at < %(before)s::timestamptz AS old FROM webhooks_event
     WHERE id > %(after)s::text ORDER BY id LIMIT %(batch)s::int
), gone AS (
    DELETE FROM webhooks_event e USING batch
     WHERE e.id = batch.id AND batch.old
       AND NOT EXISTS (SELECT FROM webhooks_delivery d WHERE d.event_id = e.id)
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

_PRUNE_RECOVERY_ITEMS = """
WITH batch AS (
    SELECT item.id, r.created_at < %(before)s::timestamptz AS old
      FROM webhooks_recoveryitem item JOIN webhooks_recovery r ON r.id = item.recovery_id
     WHERE item.id > %(after)s::bigint ORDER BY item.id LIMIT %(batch)s::int
), gone AS (
    DELETE FROM webhooks_recoveryitem item USING batch
     WHERE item.id = batch.id AND batch.old RETURNING item.id
)
SELECT (SELECT count(*) FROM gone), (SELECT max(id) FROM batch), (SELECT bool_or(old) FROM batch)"""


def prune(*, batch: int = BATCH) -> dict[str, int]:
    """Delete old attempts, then finished deliveries without any, then events without deliveries, recoveries with their items,
    and exams.

    Returns how many of each. An unfinished delivery stays however old it is: it waits for its endpoint to be enabled.
    """
    before = clock.now() - RETENTION
    _close_orphans()
    place_what_ends(before)
    return {
        "attempts": _walk(_PRUNE_ATTEMPTS, 0, before, batch),
        "deliveries": _walk(_PRUNE_DELIVERIES, "", before, batch),
        "events": _walk(_PRUNE_EVENTS, "", before, batch),
        "recoveries": _prune_recoveries(before, batch),
        "exams": Exam.objects.filter(created_at__lt=before).exclude(status__in=OPEN_EXAM).delete()[0],
    }


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
    _walk(_PRUNE_RECOVERY_ITEMS, 0, before, batch)
    return Recovery.objects.filter(created_at__lt=before, items=None).delete()[0]


def _close_orphans() -> None:
    """End deliveries that were written in the moment in which their endpoint was deleted, or their sandbox reset: they would stay
    PENDING for ever.
    """
    deleted = Endpoint.objects.filter(deleted_at__isnull=False, deliveries__next_attempt_at__isnull=False)
    for endpoint in deleted.distinct():
        close_unfinished(endpoint.deliveries.filter(next_attempt_at__isnull=False), endpoint.now())
    end_late_deliveries()
