"""Batches whose lease ended without results, because the process that sent them died.

Of such a batch the first delivery was under way: its attempt counts as lost. The others had not been reached: they are free, as
if nobody had claimed them.
"""

from collections.abc import Sequence

from django.db import connection

from apps.webhooks.causes import LOST
from apps.webhooks.services.batch import LEASE, ClaimedRow

RECORD_LOST = """
INSERT INTO webhooks_attempt
       (delivery_id, endpoint_id, number, attempted_at, duration_ms, request_headers, response_body,
        error_code, error, counted, manual)
SELECT d.id, d.endpoint_id, d.attempt_count + d.lost_count, lost.attempted_at, 0, '{}', '',
       %(code)s::text, %(words)s::text, false, d.status_before_resend IS NOT NULL
  FROM unnest(%(ids)s::text[], %(attempted_at)s::timestamptz[]) AS lost (id, attempted_at)
  JOIN webhooks_delivery d ON d.id = lost.id"""

# The rows that this claim had no room for. If they kept the old token, the next claim would take the first of them for another
# lost attempt.
FREE_THE_REST = """
UPDATE webhooks_delivery SET lease_token = NULL, lease_until = NULL
 WHERE endpoint_id = ANY(%(endpoint_ids)s::text[]) AND lease_token = ANY(%(tokens)s::uuid[])"""


def record_lost_attempts(rows: Sequence[ClaimedRow]) -> None:
    """Show each lost attempt in the history; it is not counted, and will be repeated."""
    lost = [row for row in rows if row.lost_lease and not row.is_worn_out]
    if not lost:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            RECORD_LOST,
            {
                "ids": [row.delivery_id for row in lost],
                "attempted_at": [row.lost_lease - LEASE + row.ahead for row in lost if row.lost_lease],
                "code": LOST.code,
                "words": LOST.words,
            },
        )


def free_the_rest(rows: Sequence[ClaimedRow]) -> None:
    """Free what is left of the batches from which these rows were claimed again."""
    reclaimed = [row for row in rows if row.lost_token]
    if not reclaimed:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            FREE_THE_REST,
            {
                "endpoint_ids": [row.endpoint_id for row in reclaimed],
                "tokens": [row.lost_token for row in reclaimed],
            },
        )
