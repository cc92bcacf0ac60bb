"""Moves entries, hourly counts and losses from Redis to PostgreSQL, each exactly once however often an item is read.

The request id decides: an entry that is in the table is left alone, and only new entries are counted. An item is therefore
removed from Redis after its rows were committed. If the worker dies in between, the item is read a second time, and nothing is
doubled.
"""

import logging
import time
import uuid
from collections.abc import Iterable
from hashlib import blake2b

import orjson
from django.db import DataError, IntegrityError, connection

from apps.common import clock
from apps.gateway.request_log import stream
from apps.gateway.request_log.models import LostCalls
from apps.gateway.request_log.stream import Item, Kind

logger = logging.getLogger(__name__)

ITEMS = 20
RUN_SECONDS = 20.0
LOCK = 0x7265_716C_6F67  # "reqlog"
REFUSED = (DataError, IntegrityError, UnicodeDecodeError)
"""Failures that come from an entry itself and stay. After any other failure the next run tries again."""

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
    "ignored_parameters": "text",
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
    "trace": "text",
    "booking_id": "text",
    "booking_reference": "text",
    "request_body": "jsonb",
    "response_body": "jsonb",
}
EMPTY = {
    **dict.fromkeys(("replayed", "trigger_fired"), "false"),
    **dict.fromkeys(
        (
            *(
                "environment",
                "query",
                "operation",
                "product",
                "error_type",
                "why",
                "client_address",
                "user_agent",
            ),
            *("ignored_parameters", "idempotency_key", "trigger", "trace", "booking_id", "booking_reference"),
        ),
        "''",
    ),
}
"""The values of columns that an entry leaves out. Other columns become null, or are required."""
_names = ", ".join(COLUMNS)
_typed = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
_values = ", ".join(f"COALESCE({name}, {EMPTY[name]})" if name in EMPTY else name for name in COLUMNS)

# One worker at a time, because a second one would read the same items. Python does not parse the entries. Groups are counted in
# one order, so that two workers cannot deadlock.
WRITE = f"""
WITH turn AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(%(lock)s) AS ours
), kept AS (
    INSERT INTO gateway_loggedcall ({_names})
    SELECT {_values} FROM json_to_recordset(%(entries)s::json) AS sent ({_typed})
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
    """Writes waiting entries until there are none or `seconds` are over. Returns how many calls were new.

    Raises RedisUnavailable or DatabaseError. What was not written stays in Redis for the next run.
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
    """Commits the items' rows. Returns how many are new, None while another worker writes."""
    _note_losses(_loss_told(item) for item in items if item.kind is Kind.LOST)
    batches = [item for item in items if item.kind is Kind.CALLS]
    if not batches:
        return 0
    try:
        return _insert(b"[" + b",".join(item.payload[1:-1] for item in batches) + b"]")
    except REFUSED:
        return _insert_one_by_one(batches)


def _insert(entries: bytes) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(WRITE, {"entries": entries.decode(), "lock": LOCK})
        ours, written = cursor.fetchone() or (False, 0)
    return int(written) if ours else None


def _insert_one_by_one(items: list[Item]) -> int | None:
    """Drops and counts each entry that the table refuses, and each item that cannot be read; writes the others."""
    total = 0
    for item in items:
        refused = 0
        for entry in _entries_of(item):
            try:
                written = _insert(orjson.dumps([entry]))
            except REFUSED:
                logger.exception("A call could not be logged: %s", _request_id(entry))
                refused += 1
                continue
            if written is None:
                return None
            total += written
        if refused:
            _note_losses([_loss_of(item, refused)])
    return total


def _entries_of(item: Item) -> list[object]:
    """The entries of the item. An unreadable item counts as one entry that the table refuses, because its number is unknown."""
    try:
        entries = orjson.loads(item.payload)
    except orjson.JSONDecodeError:
        return [None]
    return entries if isinstance(entries, list) else [None]


def _request_id(entry: object) -> object:
    return entry.get("request_id") if isinstance(entry, dict) else "unreadable"


def _loss_told(item: Item) -> LostCalls:
    try:
        told = orjson.loads(item.payload)
        return LostCalls(id=uuid.UUID(told["id"]), calls=int(told["calls"]), noticed_at=clock.now())
    except (ValueError, TypeError, KeyError):
        logger.exception("How many calls were lost could not be read")
        return _loss_of(item, 1)


def _loss_of(item: Item, calls: int) -> LostCalls:
    """The calls of this item that are lost. The id is derived from the item, so that the loss is counted once."""
    digest = blake2b(item.id.encode() + item.payload, digest_size=16).digest()
    return LostCalls(id=uuid.UUID(bytes=digest), calls=calls, noticed_at=clock.now())


def _note_losses(losses: Iterable[LostCalls]) -> None:
    LostCalls.objects.bulk_create(losses, ignore_conflicts=True)
