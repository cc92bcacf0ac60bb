"""Writes entries, hourly counts and losses to PostgreSQL, each exactly once however often they are written.

The request id decides: an entry that is in the table is left alone, and only new entries are counted. So what may have been
committed before a connection broke is simply written again.
"""

import logging
from collections.abc import Sequence

import orjson
from django.db import DataError, IntegrityError, connection

from apps.common.sql import savepoint

logger = logging.getLogger(__name__)

REFUSED = (DataError, IntegrityError)
"""Failures that come from an entry itself and stay. After any other failure the next round tries again."""

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

# One statement, and Python does not parse the entries. Groups are counted in one order, so that two processes cannot deadlock.
WRITE = f"""
WITH kept AS (
    INSERT INTO gateway_loggedcall ({_names})
    SELECT {_values} FROM json_to_recordset(%(entries)s::json) AS sent ({_typed})
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
SELECT count(*) FROM kept
"""  # noqa: S608


def write(entries: Sequence[bytes]) -> int:
    """Commits the entries, each a JSON object. Returns how many the table refused, which are logged. Raises DatabaseError."""
    try:
        with savepoint(), connection.cursor() as cursor:
            cursor.execute(WRITE, {"entries": (b"[" + b",".join(entries) + b"]").decode()})
    except REFUSED:
        if len(entries) > 1:
            return sum(write([entry]) for entry in entries)
        logger.exception("A call could not be logged: %s", orjson.loads(entries[0]).get("request_id"))
        return 1
    return 0
