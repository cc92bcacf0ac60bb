"""From Redis to PostgreSQL: entries, the hours' counts and the losses, each exactly once however often an item is read.

The request id decides: an entry that is there already is left alone, and only entries that are new are counted. So an item may be
removed from Redis after its rows were committed, and a worker that dies in between costs a second reading and nothing else.
"""

import logging
import time
from collections.abc import Iterable

import orjson
from django.db import DataError, connection

from apps.common import clock
from apps.gateway.request_log import stream
from apps.gateway.request_log.models import LostCalls
from apps.gateway.request_log.stream import Item, Kind

logger = logging.getLogger(__name__)

ITEMS = 20
RUN_SECONDS = 20.0
LOCK = 0x7265_716C_6F67  # "reqlog"

COLUMNS = {
    "request_id": "uuid",
    "created_at": "timestamptz",
    "account_id": "text",
    "environment": "text",
    "key_id": "text",
    "secret_id": "bigint",
    "method": "text",
    "path": "text",
    "query": "text",
    "operation": "text",
    "product": "text",
    "status": "smallint",
    "error_type": "text",
    "why": "text",
    "duration_ms": "double precision",
    "billable": "boolean",
    "replayed": "boolean",
    "client_address": "text",
    "user_agent": "text",
    "idempotency_key": "text",
    "trigger": "text",
    "trigger_fired": "boolean",
    "steps": "jsonb",
    "booking_id": "text",
    "booking_reference": "text",
    "request_body": "jsonb",
    "response_body": "jsonb",
}
_names = ", ".join(COLUMNS)
_typed = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())

# One worker at a time: a second would only read the same again. Python does not look into the entries at all. Groups are counted
# in one order, so that two workers cannot wait for one another.
WRITE = f"""
WITH turn AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(%(lock)s) AS ours
), kept AS (
    INSERT INTO gateway_loggedcall ({_names})
    SELECT {_names} FROM json_to_recordset(%(entries)s::json) AS sent ({_typed})
     WHERE (SELECT ours FROM turn)
    ON CONFLICT (request_id) DO NOTHING
    RETURNING account_id, environment, key_id, secret_id, status, created_at
), counted AS (
    INSERT INTO gateway_callhour AS known
           (account_id, environment, hour, key_id, secret_id, calls, errors, first_call_at, last_call_at)
    SELECT account_id, environment, date_trunc('hour', created_at, 'UTC') AS hour, key_id, COALESCE(secret_id, 0) AS secret,
           count(*), count(*) FILTER (WHERE status >= 400), min(created_at), max(created_at)
      FROM kept WHERE account_id IS NOT NULL
     GROUP BY account_id, environment, hour, key_id, secret ORDER BY account_id, environment, hour, key_id, secret
    ON CONFLICT (account_id, environment, hour, key_id, secret_id) DO UPDATE
       SET calls = known.calls + EXCLUDED.calls, errors = known.errors + EXCLUDED.errors,
           first_call_at = LEAST(known.first_call_at, EXCLUDED.first_call_at),
           last_call_at = GREATEST(known.last_call_at, EXCLUDED.last_call_at)
)
SELECT (SELECT ours FROM turn), (SELECT count(*) FROM kept)
"""  # noqa: S608


def drain(*, seconds: float = RUN_SECONDS) -> int:
    """Write down what waits, until nothing does or time is over; how many calls that were new.

    Raises RedisUnavailable or DatabaseError: what was not written stays where it is, for the next run.
    """
    ends_at, total = time.monotonic() + seconds, 0
    while time.monotonic() < ends_at and (items := stream.read(ITEMS)):
        written = _write(items)
        if written is None:
            break  # another worker is at it
        total += written
        stream.remove(items)
        if len(items) < ITEMS:
            break
    return total


def _write(items: list[Item]) -> int | None:
    """Commit the items' rows; None where another worker does."""
    _note_losses(item for item in items if item.kind is Kind.LOST)
    batches = [item.payload for item in items if item.kind is Kind.CALLS]
    if not batches:
        return 0
    try:
        return _insert(b"[" + b",".join(batch[1:-1] for batch in batches) + b"]")
    except DataError:
        return _insert_one_by_one(batches)


def _insert(entries: bytes) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(WRITE, {"entries": entries.decode(), "lock": LOCK})
        ours, written = cursor.fetchone() or (False, 0)
    return int(written) if ours else None


def _insert_one_by_one(batches: list[bytes]) -> int | None:
    """A value that a column does not take: its entry is dropped and counted, and the others are not."""
    total = refused = 0
    for entry in (entry for batch in batches for entry in orjson.loads(batch)):
        try:
            written = _insert(orjson.dumps([entry]))
        except DataError:
            logger.exception("Call %s could not be logged", entry.get("request_id"))
            refused += 1
            continue
        if written is None:
            return None
        total += written
    if refused:
        LostCalls.objects.create(calls=refused, noticed_at=clock.now())
    return total


def _note_losses(items: Iterable[Item]) -> None:
    told = [orjson.loads(item.payload) for item in items]
    LostCalls.objects.bulk_create(
        [LostCalls(id=one["id"], calls=one["calls"], noticed_at=clock.now()) for one in told],
        ignore_conflicts=True,
    )
