"""Deletes calls after 30 days, in batches, so that each statement locks few rows and is short."""

from datetime import datetime, timedelta

from django.db import connection

from apps.common import clock, querysets
from apps.gateway.request_log.models import CallHour, LostCalls

RETENTION = timedelta(days=30)
COUNTS_RETENTION = timedelta(days=400)

# Walks along the primary key, which grows with time, from where the last batch stopped; it needs no index of its own. The last
# row of the batch says where to continue, and the batch says whether it had any old row.
PRUNE = """
WITH batch AS (
    SELECT id, created_at < %(before)s::timestamptz AS old FROM gateway_loggedcall
     WHERE id > %(after)s::bigint ORDER BY id LIMIT %(batch)s::int
), gone AS (
    DELETE FROM gateway_loggedcall c USING batch WHERE c.id = batch.id AND batch.old RETURNING c.id
)
SELECT (SELECT count(*) FROM gone), (SELECT max(id) FROM batch), (SELECT bool_or(old) FROM batch)"""


def prune(*, batch: int = querysets.BATCH) -> int:
    """Deletes calls older than 30 days, and counts and losses older than 400 days. Returns how many calls."""
    now = clock.now()
    before = now - COUNTS_RETENTION
    querysets.prune(CallHour.objects.filter(hour__lt=before))
    querysets.prune(LostCalls.objects.filter(noticed_at__lt=before))
    return _prune_calls(now - RETENTION, batch)


def _prune_calls(before: datetime, batch: int) -> int:
    total, after = 0, 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute(PRUNE, {"after": after, "before": before, "batch": batch})
            gone, last, any_old = cursor.fetchone() or (0, None, None)
        total += gone
        if not any_old:
            return total
        after = last or after
