"""The feed: all events of an account's environment, each once, in an order that never changes.

Events are written without a position, so that no booking waits for another one. A reader at the end of the feed numbers what
has been committed since, under a lock of the feed's row. An event is visible only after its commit; so one that commits late gets
a late position, and what was read once never moves. An open transaction, here or elsewhere, delays no reader. Positions are data:
a restored database continues with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from apps.accounts import clocks
from apps.common.errors import EventForgotten
from apps.common.ids import is_well_formed
from apps.webhooks.models import RETENTION, Event, EventFeed

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
    """Number what is to be deleted, where there is a feed: so that its readers learn that they missed it."""
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


SCANNED = 2_000
"""How many events a page looks at for those of some types: it costs the same however rare they are."""

MOST_PLACED = 20
"""Batches that one request numbers on its way to an event that has no position yet."""

_OWN = "e.account_id = %(account_id)s::text AND e.environment = %(environment)s::text"

_ALL = f"""
    SELECT e.id, e.type, e.feed_position FROM webhooks_event e
     WHERE {_OWN} AND e.feed_position > (SELECT position FROM start)
     ORDER BY e.feed_position LIMIT %(scanned)s::int"""  # noqa: S608


# Without an order: `found` sorts them. For an ordered scan PostgreSQL would walk through the whole feed.
_OF_A_BOOKING = f"""
    SELECT e.id, e.type, e.feed_position FROM webhooks_event e
     WHERE {_OWN} AND e.booking_reference = %(booking_reference)s::text
       AND e.feed_position > (SELECT position FROM start)"""  # noqa: S608

_LAST = f"""
    SELECT e.id FROM webhooks_event e
     WHERE {_OWN} AND e.feed_position > (SELECT position FROM start) ORDER BY e.feed_position DESC LIMIT 1"""  # noqa: S608


# One statement, so one view of the data: what is deleted meanwhile is there as a whole, or known to be forgotten.
_LOOK = """
WITH feed AS MATERIALIZED (
    SELECT forgotten_position, forgotten_event_id FROM webhooks_eventfeed e WHERE {own}
), start AS MATERIALIZED (
    SELECT CASE WHEN coalesce(%(after)s::text, forgotten_event_id) = forgotten_event_id THEN forgotten_position
                ELSE (SELECT e.feed_position FROM webhooks_event e WHERE {own} AND e.id = %(after)s::text) END AS position
      FROM feed
), scanned AS MATERIALIZED ({scanned}
), found AS MATERIALIZED (
    SELECT id, feed_position FROM scanned
     WHERE %(types)s::text[] IS NULL OR type = ANY (%(types)s::text[])
     ORDER BY feed_position LIMIT %(limit)s::int + 1
)
SELECT feed.forgotten_position, feed.forgotten_event_id, start.position,
       (SELECT count(*) FROM scanned), ({last}),
       CASE WHEN (SELECT count(*) FROM found) > %(limit)s::int THEN true
            ELSE EXISTS (SELECT FROM webhooks_event e WHERE {own} AND e.feed_position IS NULL) END,
       event.id, event.payload
  FROM feed CROSS JOIN start LEFT JOIN found ON true LEFT JOIN webhooks_event event ON event.id = found.id
 ORDER BY found.feed_position"""

LOOK = _LOOK.format(own=_OWN, scanned=_ALL, last="SELECT id FROM scanned ORDER BY feed_position DESC LIMIT 1")
LOOK_FOR_BOOKING = _LOOK.format(own=_OWN, scanned=_OF_A_BOOKING, last=_LAST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Whose feed, from where on, and what of it."""

    account_id: str
    environment: str
    limit: int
    after: str | None = None
    """The last event that the reader has; None: from the beginning."""
    types: Sequence[str] | None = None
    booking_reference: str | None = None


@dataclass(frozen=True, slots=True)
class FeedPage:
    """The bodies of events, in the feed's order. A reader continues after `next_after`, whatever was in the page."""

    payloads: Sequence[str]
    has_more: bool
    next_after: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one look found. `position`: where the reader stands; None if its event has no position yet, or is unknown."""

    forgotten_position: int
    forgotten_event_id: str
    position: int | None
    scanned: int
    last: str | None
    some_unplaced: bool
    events: Sequence[tuple[str, str]]


def read_feed(wanted: Wanted) -> FeedPage:
    """One page. Raises EventForgotten where events after `after` may have been deleted, and for an `after` that is not known."""
    if wanted.after is not None and not is_well_formed(wanted.after):
        raise _forgotten(wanted)
    seen = _look(wanted)
    if seen.position is None:
        seen = _place_up_to(wanted)
        if seen.position is None:
            return FeedPage([], has_more=True, next_after=wanted.after or seen.forgotten_event_id)
    if seen.some_unplaced and not _is_full(seen, wanted):
        place(wanted.account_id, wanted.environment)
        seen = _look(wanted)
    if seen.position is None or seen.position < seen.forgotten_position:
        raise _forgotten(wanted)
    return _page(seen, wanted)


def _look(wanted: Wanted) -> _Seen:
    rows = _rows(wanted)
    if not rows:
        EventFeed.objects.get_or_create(account_id=wanted.account_id, environment=wanted.environment)
        rows = _rows(wanted)
    events = [(row[-2], row[-1]) for row in rows if row[-2] is not None]
    forgotten_position, forgotten_event_id, position, scanned, last, some_unplaced = rows[0][:-2]
    return _Seen(forgotten_position, forgotten_event_id, position, scanned, last, some_unplaced, events)


def _rows(wanted: Wanted) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(
            LOOK if wanted.booking_reference is None else LOOK_FOR_BOOKING,
            {
                "account_id": wanted.account_id,
                "environment": wanted.environment,
                "after": wanted.after,
                "limit": wanted.limit,
                "types": None if wanted.types is None else list(wanted.types),
                "scanned": wanted.limit + 1 if wanted.types is None else SCANNED,
                "booking_reference": wanted.booking_reference,
            },
        )
        return list(cursor.fetchall())


def _is_full(seen: _Seen, wanted: Wanted) -> bool:
    """Whether there is enough for this page without what has no position yet."""
    return len(seen.events) > wanted.limit or _stopped_early(seen, wanted)


def _stopped_early(seen: _Seen, wanted: Wanted) -> bool:
    return wanted.types is not None and wanted.booking_reference is None and seen.scanned == SCANNED


def _page(seen: _Seen, wanted: Wanted) -> FeedPage:
    events = seen.events[: wanted.limit]
    if len(seen.events) > wanted.limit:
        has_more, next_after = True, events[-1][0]
    else:
        has_more = seen.some_unplaced or _stopped_early(seen, wanted)
        next_after = seen.last or wanted.after or seen.forgotten_event_id
    return FeedPage([payload for _, payload in events], has_more, next_after)


def _place_up_to(wanted: Wanted) -> _Seen:
    """Number events until that which the reader has is among them; some at a time, where there are very many.

    Raises EventForgotten for one that is not known, or so old that others after it may be deleted.
    """
    known = Event.objects.filter(
        account_id=wanted.account_id, environment=wanted.environment, pk=wanted.after
    )
    if not known.filter(
        created_at__gte=clocks.now_in(wanted.account_id, wanted.environment) - RETENTION
    ).exists():
        raise _forgotten(wanted)
    for _ in range(MOST_PLACED):
        if not known.filter(feed_position=None).exists():
            break
        place(wanted.account_id, wanted.environment)
    return _look(wanted)


def _forgotten(wanted: Wanted) -> EventForgotten:
    """The refusal, with the oldest event of the feed."""
    seen = read_feed(Wanted(account_id=wanted.account_id, environment=wanted.environment, limit=1))
    return EventForgotten(oldest=seen.next_after if seen.payloads else None)
