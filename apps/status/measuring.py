"""Adds what the service knows to the day's figures: each logged call once, and a check a minute.

Calls are counted on from a mark, so that a run reads what is new and nothing else. The request log gets its entries one writer at
a time, so their numbers are committed in order, and none appears behind the mark.
"""

import logging
from collections.abc import Mapping
from datetime import date, datetime, timedelta

from django.db import connection, transaction
from django.db.models import F

from apps.common import clock
from apps.keys.offered import live_supplier
from apps.status import checking
from apps.status.components import API, PRODUCTS, SANDBOX
from apps.status.models import StatusDay, StatusMark

logger = logging.getLogger(__name__)

CALLS_OF_A_STEP = 20_000
STEPS = 25
"""In one run: half a million calls a minute. After a long pause the next runs count the rest."""
BETWEEN_CHECKS = timedelta(seconds=45)
GAP = timedelta(minutes=2)
"""Without a check for longer, the minutes in between count as not measured, or as failed where it is known why."""

# A sandbox's triggers and faults fail on purpose: of test calls only our own faults count, and they are in `api` as well.
COUNT = """
WITH fresh AS MATERIALIZED (
    SELECT id, created_at, environment, product, status FROM gateway_loggedcall WHERE id > %(after)s ORDER BY id LIMIT %(most)s
), told AS (
    SELECT (created_at AT TIME ZONE 'UTC')::date AS day, part.component, part.failed
      FROM fresh CROSS JOIN LATERAL (VALUES
           (%(api)s, status = 500 OR (status = 503 AND NOT product = ANY(%(products)s))),
           (CASE WHEN environment = 'live' AND product = ANY(%(products)s) THEN product
                 WHEN environment = 'test' THEN %(sandbox)s END,
            CASE WHEN environment = 'live' THEN status >= 500 ELSE status = 500 END)
      ) AS part (component, failed)
     WHERE part.component IS NOT NULL
)
SELECT day, component, count(*), count(*) FILTER (WHERE failed), (SELECT max(id) FROM fresh) FROM told GROUP BY 1, 2
"""


def measure(*, database_away_since: datetime | None = None) -> None:
    """Count the new calls and make this minute's check. Raises DatabaseError.

    `database_away_since` is what whoever writes the page saw: the minutes since then are failed checks of the API.
    """
    for _ in range(STEPS):
        if count_calls() < CALLS_OF_A_STEP:
            break
    check(database_away_since=database_away_since)


def count_calls() -> int:
    """Add one step's calls to their days. Returns how many entries that were, none while somebody else counts."""
    with transaction.atomic(), connection.cursor() as cursor:
        mark = _mark()
        if mark is None:
            return 0
        names = list(PRODUCTS)
        cursor.execute(
            COUNT,
            {
                "after": mark.last_call_id,
                "most": CALLS_OF_A_STEP,
                "api": API,
                "sandbox": SANDBOX,
                "products": names,
            },
        )
        rows = cursor.fetchall()
        if not rows:
            return 0
        for day, component, calls, failed, _ in rows:
            supplier = live_supplier(component) if component in PRODUCTS else ""
            _add(day, (component, supplier), calls=calls, failed=failed)
        mark.last_call_id = rows[0][4]
        mark.save(update_fields=["last_call_id"])
        return sum(calls for _, component, calls, _, _ in rows if component == API)


def check(*, database_away_since: datetime | None = None) -> None:
    """Ask each part how it is, unless somebody has within the minute, and note the minutes in which nobody could."""
    now = clock.now()
    with transaction.atomic():
        mark = _mark()
        if mark is None or (mark.checked_at is not None and now - mark.checked_at < BETWEEN_CHECKS):
            return
        found = checking.all_checks(now)
        if mark.checked_at is not None and now - mark.checked_at > GAP:
            _note_gap(mark.checked_at, now, list(found), database_away_since)
        for key, well in found.items():
            _add(now.date(), key, checks=1, failed_checks=0 if well else 1)
        mark.checked_at = now
        mark.save(update_fields=["checked_at"])


def _note_gap(
    since: datetime, until: datetime, keys: list[tuple[str, str]], away_since: datetime | None
) -> None:
    """The whole minutes without a check, each on its own day, no further back than the page shows."""
    known = away_since is not None and since <= away_since
    for day, minutes in minutes_by_day(max(since, until - timedelta(days=90)), until).items():
        for key in keys:
            if known and key[0] == API:
                _add(day, key, checks=minutes, failed_checks=minutes)
            else:
                _add(day, key, unmeasured=minutes)


def minutes_by_day(since: datetime, until: datetime) -> Mapping[date, int]:
    """The whole minutes from `since` to `until` by UTC day, without the one that the check at `until` stands for."""
    found: dict[date, int] = {}
    at = since + timedelta(minutes=1)
    while at < until:
        midnight = (at + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        ends = min(midnight, until)
        count = int((ends - at) / timedelta(minutes=1))
        if count:
            found[at.date()] = found.get(at.date(), 0) + count
        at = ends
    return found


def _mark() -> StatusMark | None:
    """The mark, locked; None while somebody else has it."""
    StatusMark.objects.bulk_create([StatusMark(pk=StatusMark.ONLY)], ignore_conflicts=True)
    return StatusMark.objects.select_for_update(skip_locked=True).filter(pk=StatusMark.ONLY).first()


def _add(day: date, key: tuple[str, str], **counts: int) -> None:
    row = {"day": day, "component": key[0], "supplier": key[1]}
    StatusDay.objects.bulk_create([StatusDay(**row)], ignore_conflicts=True)
    StatusDay.objects.filter(**row).update(**{name: F(name) + count for name, count in counts.items()})
