"""The request log as one table beside the same by month: what forgetting a month costs, and what reading and writing costs then.

Processor seconds are of the PostgreSQL process that did it; its log is what a standby and an archive get of it.
"""

import os
from pathlib import Path
from typing import Any

import django
import psycopg

from apps.common.pruning import BATCH
from tests.bench.processors import seconds_of
from tests.support.own_service import own_database

ROWS = 150_000
DAYS, MONTHS = 90, 3
CALLS = 500
PLAIN, PARTED = "gateway_loggedcall", "by_month"

# As a table whose unique keys hold the time by which it is parted, which PostgreSQL demands.
MAKE_PARTED = f"""
CREATE TABLE {PARTED} (LIKE {PLAIN} INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING COMPRESSION) PARTITION BY RANGE (created_at);
ALTER TABLE {PARTED} ADD PRIMARY KEY (id, created_at);
ALTER TABLE {PARTED} ADD UNIQUE (request_id, created_at);
"""
MAKE_PART = (
    "CREATE TABLE {name} PARTITION OF " + PARTED + " FOR VALUES FROM ('{first}'::timestamptz)"
    " TO ('{first}'::timestamptz + interval '30 days')"
)
INDEXES = """
SELECT replace(replace(indexdef, indexname, 'parted_' || indexname), 'public.gateway_loggedcall', 'by_month') FROM pg_indexes
 WHERE tablename = 'gateway_loggedcall' AND indexdef NOT LIKE 'CREATE UNIQUE%'
"""
FILL = """
INSERT INTO {table} (id, request_id, created_at, account_id, environment, method, path, query, operation, product, status,
                     error_type, why, duration_ms, replayed, client_address, user_agent, idempotency_key, trigger, trigger_fired,
                     booking_id, booking_reference, trace, request_body, response_body)
SELECT n, md5(n::text)::uuid, '{first}'::timestamptz + n * interval '{days} days' / {rows}, 'acc_' || n % 50, 'test', 'POST',
       '/v1/hotels/bookings', '', 'createHotelBooking', 'hotels', CASE WHEN n % 20 = 0 THEN 400 ELSE 201 END, '', '', 12.5, false,
       '203.0.113.7', 'partner/1.0', md5('k' || n), '', false, 'hbk_' || n, 'H-' || n, 'scope 360;body 1000',
       jsonb_build_object('guest', repeat(md5(n::text), 12)), jsonb_build_object('id', n, 'text', repeat(md5('a' || n), 25))
  FROM generate_series({begin}, {end}) n
"""
FIRST = "2026-01-01"
BY_REQUEST = "SELECT id, path FROM {table} WHERE request_id = md5((1 + %(n)s)::text)::uuid"
PAGE = (
    "SELECT id, path FROM {table} WHERE account_id = 'acc_' || %(n)s %% 50 AND environment = 'test'"
    " ORDER BY created_at DESC, id DESC LIMIT 20"
)


class Meter:
    """What the connection's own PostgreSQL process uses, and how much log is written."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._process = Path(f"/proc/{connection.info.backend_pid}/stat")
        self.begin()

    def begin(self) -> None:
        self._place, self._seconds = self._log(), seconds_of(self._process)

    def end(self) -> str:
        used, log = seconds_of(self._process) - self._seconds, self._log() - self._place
        self.begin()
        return f"{used:7.2f} s of a processor, {log / 2**20:8.1f} MiB of log"

    def _log(self) -> float:
        row = self._connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").fetchone()
        assert row
        return float(row[0])


def main(rows: int = ROWS) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
    django.setup()
    with own_database("bench_partitions") as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET statement_timeout = 0")
        connection.execute("SET session_replication_role = replica")
        make(connection)
        meter = Meter(connection)
        for table in (PLAIN, PARTED):
            fill(connection, table, 1, rows, rows)
            connection.execute(f"VACUUM ANALYZE {table}")
        meter.begin()
        print(f"\n{rows:,} calls of {DAYS} days, in one table and in {MONTHS}")
        for table in (PLAIN, PARTED):
            for what, statement in (("by request id", BY_REQUEST), ("newest page of a partner", PAGE)):
                pages, seconds = read(connection, statement.format(table=table), rows)
                print(f"{table:20}{what:26}{pages:5} pages, {1000 * seconds:6.2f} ms of a processor")
        for table in (PLAIN, PARTED):
            meter.begin()
            fill(connection, table, rows + 1, rows + BATCH, rows)
            print(f"{table:20}{f'{BATCH:,} new rows':26}{meter.end()}")
        forgotten = prune(connection, rows)
        print(f"{PLAIN:20}{f'{forgotten:,} rows deleted':26}{meter.end()}")
        connection.execute(f"VACUUM {PLAIN}")
        print(f"{PLAIN:20}{'then VACUUM':26}{meter.end()}")
        connection.execute(f"DROP TABLE {PARTED}_0")
        print(f"{PARTED:20}{'a month dropped':26}{meter.end()}")
        sizes = connection.execute(
            "SELECT pg_total_relation_size(%s), (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits"
            " WHERE inhparent = %s::regclass)",
            [PLAIN, PARTED],
        ).fetchone()
        assert sizes
        print("left on disk: " + ", ".join(f"{size / 2**20:.0f} MiB" for size in sizes))


def make(connection: psycopg.Connection[Any]) -> None:
    connection.execute(MAKE_PARTED)
    for (statement,) in connection.execute(INDEXES).fetchall():
        connection.execute(statement)
    for month in range(MONTHS + 1):
        first = connection.execute(
            f"SELECT ('{FIRST}'::timestamptz + {month} * interval '30 days')::text"
        ).fetchone()
        assert first
        connection.execute(MAKE_PART.format(name=f"{PARTED}_{month}", first=first[0]))


def fill(connection: psycopg.Connection[Any], table: str, begin: int, end: int, rows: int) -> None:
    connection.execute(FILL.format(table=table, begin=begin, end=end, rows=rows, days=DAYS, first=FIRST))


def read(connection: psycopg.Connection[Any], statement: str, rows: int) -> tuple[int, float]:
    """Pages that one execution looks at, and the processor seconds of one, of many."""
    explained = connection.execute(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", {"n": rows // 2}
    ).fetchone()
    assert explained
    plan = explained[0][0]["Plan"]
    process = Path(f"/proc/{connection.info.backend_pid}/stat")
    before = seconds_of(process)
    for number in range(CALLS):
        connection.execute(statement, {"n": number * 7919 % rows}).fetchall()
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], (seconds_of(process) - before) / CALLS


def prune(connection: psycopg.Connection[Any], rows: int) -> int:
    """The first month, as the service does it: in batches along the primary key."""
    from apps.gateway.request_log.prune import PRUNE

    total, after = 0, 0
    until = f"{FIRST}T00:00:00Z"
    before = connection.execute(f"SELECT '{until}'::timestamptz + interval '30 days'").fetchone()
    assert before
    while True:
        row = connection.execute(PRUNE, {"after": after, "before": before[0], "batch": BATCH}).fetchone()
        assert row
        total += row[0]
        if not row[2]:
            return total
        after = row[1]
