"""Give committed events their positions in the feed.

Events are written without a position, so that no booking waits for another one. Whoever reads to the end of the feed numbers what
has been committed since, under a lock of the feed's row. Nobody sees an event before its transaction is committed; so one that
commits late gets a late position, and what was read once never moves. An open transaction, here or elsewhere, holds nobody up.
Positions are data: a restored database continues with them.
"""

from datetime import datetime

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from apps.webhooks.models import Event, EventFeed

BATCH = 1_000

# A row that is locked, because it is being deleted or replayed, is skipped rather than waited for, together with the later events
# of its booking.
PLACE = """
WITH next AS MATERIALIZED (
    SELECT e.id, e.arrival, e.created_at, e.booking_reference, e.sequence FROM webhooks_event e
     WHERE e.account_id = %(account_id)s::text AND e.environment = %(environment)s::text AND e.feed_position IS NULL
     ORDER BY e.arrival NULLS FIRST, e.created_at, e.id
     LIMIT %(batch)s::int
       FOR NO KEY UPDATE SKIP LOCKED
), checked AS (
    SELECT id, arrival, created_at, booking_reference, sequence,
           lag(sequence) OVER (PARTITION BY booking_reference ORDER BY sequence) IS DISTINCT FROM sequence - 1
           AND (SELECT e.feed_position IS NULL FROM webhooks_event e
                 WHERE e.booking_reference = next.booking_reference AND e.booking_reference <> ''
                   AND e.sequence = next.sequence - 1) AS follows_skipped
      FROM next
), numbered AS (
    SELECT id, row_number() OVER (ORDER BY arrival NULLS FIRST, created_at, id) AS number
      FROM (SELECT *, bool_or(follows_skipped) OVER (PARTITION BY booking_reference ORDER BY sequence) AS waits
              FROM checked) AS checked
     WHERE waits IS NOT TRUE
), placed AS (
    UPDATE webhooks_event e SET feed_position = %(last)s::bigint + numbered.number
      FROM numbered WHERE e.id = numbered.id
    RETURNING e.id
)
UPDATE webhooks_eventfeed SET last_position = last_position + (SELECT count(*) FROM placed)
 WHERE id = %(feed)s
RETURNING last_position"""


@transaction.atomic
def place(account_id: str, environment: str, *, batch: int = BATCH) -> int:
    """Number the next events of a feed, in the order in which they were written. Returns how many; 0 when none waits."""
    feed = EventFeed.objects.select_for_update(no_key=True).get(
        account_id=account_id, environment=environment
    )
    # A statement of its own, which sees what was committed before the lock was had.
    with connection.cursor() as cursor:
        cursor.execute(
            PLACE,
            {
                "account_id": account_id,
                "environment": environment,
                "batch": batch,
                "last": feed.last_position,
                "feed": feed.pk,
            },
        )
        ((last,),) = cursor.fetchall()
    return int(last) - feed.last_position


def place_what_ends(before: datetime, *, batch: int = BATCH) -> None:
    """Number what is to be deleted, where there is a feed: its readers are told that they missed it."""
    ending = Event.objects.filter(
        account_id=OuterRef("account_id"),
        environment=OuterRef("environment"),
        feed_position=None,
        created_at__lt=before,
    )
    feeds = EventFeed.objects.filter(Exists(ending))
    for feed in feeds:
        while place(feed.account_id, feed.environment, batch=batch) and feeds.filter(pk=feed.pk).exists():
            pass
