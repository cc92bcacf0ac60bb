"""All migrations since release 1.1.0 on a large database of it, while it serves: how long a call waited, and for what."""

import json
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from tests.deploy.rehearsal.failures import Outcome, lost
from tests.deploy.rehearsal.filled import TABLES, fill, untied
from tests.deploy.rehearsal.load import Call, Load
from tests.deploy.rehearsal.postgres import DATABASE, SUPERUSER, Node, Pair
from tests.deploy.rehearsal.programs import Program
from tests.deploy.rehearsal.site import RATES, Release, Site, running
from tests.deploy.rehearsal.upgrade import BEFORE, checked_out, ledger_of, migrate
from tests.deploy.rehearsal.waits import Waits
from tests.support.flight_shop import CONTACT
from tests.support.ports import free_port
from tests.support.stack import ROOT, HttpApi

ROWS = 5_000_000
PARTNERS = 4
SCOPES = (
    "account:read,ledger:read,hotels:search,hotels:book,flights:search,flights:book,transfers:search,transfers:book,"
    "webhooks:manage"
)
LEAD = {"firstName": "Ada", "lastName": "Lovelace", **CONTACT}
REST_SECONDS = 15.0
"""Under load before the migrations and after them: the calls of before are the measure."""
SETTLED_SECONDS = 120
READS = (
    "/v1/account",
    "/v1/account/ledger",
    "/v1/hotels/bookings",
    "/v1/hotels/bookings?externalReference=trip-1",
    "/v1/webhooks/deliveries",
)
SLOW_SECONDS = 2.0
MOST = 8

STATE = """
SELECT (SELECT count(*) FROM bookings_settlement WHERE booking_id = %(transfer)s AND settled_at IS NOT NULL)
     + (SELECT count(DISTINCT a.delivery_id) FROM webhooks_attempt a JOIN webhooks_delivery d ON d.id = a.delivery_id
          JOIN webhooks_event e ON e.id = d.event_id
         WHERE e.booking_id IN (%(hotel)s, %(transfer)s) AND d.status = 'DELIVERED')
     + (SELECT count(DISTINCT booking_id) FROM gateway_loggedcall WHERE booking_id IN (%(hotel)s, %(transfer)s))
"""
SETTLED, DELIVERED, LOGGED = 1, 2, 2
SIZES = """
SELECT c.oid::regclass::text, greatest(c.reltuples, 0)::bigint, pg_relation_size(c.oid),
       pg_table_size(c.oid) - pg_relation_size(c.oid), pg_indexes_size(c.oid)
  FROM pg_class c WHERE c.oid = ANY (%s::text[]::regclass[]::oid[]) ORDER BY array_position(%s, c.relname::text)
"""
APPLIED = "SELECT app || '.' || name, extract(epoch FROM applied)::float FROM django_migrations WHERE id > %s ORDER BY id"


def migrated(before: str, rows: int) -> Outcome:
    """No call may fail. The notes say what was slow, who waited for whom, and what it took of the disk."""
    former, present = checked_out(before or BEFORE), Release()
    outcome = Outcome(f"all migrations since 1.1.0 on {rows:,} rows")
    with running(former, judged=False, tries_another=False) as site, listening(site) as hooks:
        keys = [partner(site, hooks) for _ in range(PARTNERS)]
        with alone(site.postgres), connected(site.postgres.primary) as cursor:
            began = time.monotonic()
            bookings = fill(cursor, *models(site, keys[0], cursor), rows, said)
            outcome.wrong += [f"nothing at the end of {each}" for each in untied(cursor)]
            outcome.notes.append(f"{bookings:,} bookings filled in {time.monotonic() - began:.0f} s")
            outcome.notes += sizes(cursor)
        outcome.wrong += ledger_of(site, former)
        with Load(site.front.url, keys[0], READS) as load:
            under_load(site, present, load, outcome)
        outcome.count(load, 0)
        outcome.acknowledged = len(load.acknowledged)
        outcome.wrong += load.unanswered + lost(site.postgres.primary, load) + ledger_of(site, present)
        with connected(site.postgres.primary) as cursor:
            cursor.execute("VACUUM ANALYZE")
            outcome.notes += sizes(cursor)
    return outcome


def under_load(site: Site, present: Release, load: Load, outcome: Outcome) -> None:
    node = site.postgres.primary
    with connected(node) as cursor, Waits(node) as waits:
        (newest, size, place) = asked(cursor, "SELECT max(id), pg_database_size(current_database()), "
                                              "pg_current_wal_lsn() FROM django_migrations")  # fmt: skip
        load.go_on(REST_SECONDS)
        began, clock = time.monotonic(), time.time()
        migrate(site, present)
        ended = time.monotonic()
        load.go_on(REST_SECONDS)
        cursor.execute(APPLIED, [newest])
        steps = durations(cursor.fetchall(), clock)
        grown, written = asked(
            cursor,
            "SELECT pg_database_size(current_database()) - %s, pg_current_wal_lsn() - %s::pg_lsn",
            [size, place],
        )
    outcome.notes.append(
        f"migrated in {ended - began:.0f} s, {len(steps)} migrations; the database grew from {gigabytes(size)} by"
        f" {gigabytes(grown)}, {gigabytes(written)} of its log were written"
    )
    outcome.notes += [f"{name}: {seconds:.1f} s" for name, seconds in steps if seconds >= SLOW_SECONDS]
    for when, calls in (
        ("before", [call for call in load.calls if call.ended < began]),
        ("while it migrated", [call for call in load.calls if call.ended >= began and call.began <= ended]),
        ("afterwards", [call for call in load.calls if call.began > ended]),
    ):
        outcome.notes.append(f"{when}: {latency(calls)}")
    outcome.notes += [f"waited {wait}" for wait in waits.longest(MOST)]
    outcome.wrong += [
        f"{c.kind} failed {c.began - began:.1f} s after the beginning: {c.words}"
        for c in load.calls
        if c.failed
    ]


def durations(applied: Sequence[tuple[str, float]], began: float) -> list[tuple[str, float]]:
    """Each migration with the seconds since the one before was done."""
    ends = [began, *(at for _, at in applied)]
    return [(name, at - before) for (name, at), before in zip(applied, ends, strict=False)]


def latency(calls: Sequence[Call]) -> str:
    """Of each kind: how many, the median, one in a hundred, and the longest."""
    told = []
    for kind in sorted({call.kind for call in calls}):
        times = sorted(call.ended - call.began for call in calls if call.kind == kind)
        p50, p99 = (times[min(len(times) - 1, len(times) * share // 100)] for share in (50, 99))
        told.append(f"{len(times)} {kind}s, median {p50:.2f} s, p99 {p99:.2f} s, longest {times[-1]:.2f} s")
    return "; ".join(told) or "no calls"


def sizes(cursor: Any) -> list[str]:
    """Bytes a row of each filled table."""
    cursor.execute(SIZES, [TABLES, TABLES])
    return [
        f"{table}: {rows:,} rows; {heap / rows:.0f} bytes a row, {packed / rows:.0f} packed, {indexes / rows:.0f} of indexes"
        for table, rows, heap, packed, indexes in cursor.fetchall()
        if rows
    ]


def models(site: Site, secret: str, cursor: Any) -> tuple[str, str]:
    """A hotel's booking and a transfer's order, paid, told to the endpoint and logged: their ids."""
    api = HttpApi(site.front.url, secret)
    rate = api.post("/v1/hotels/searches").body["hotels"][0]["rates"][0]["rateId"]
    guests = [{"firstName": name, "lastName": "Lovelace", "type": "adult"} for name in ("Ada", "Anne")]
    booked = {"rateId": rate, "guests": guests, "contact": CONTACT, "externalReference": "model"}
    hotel = api.post("/v1/hotels/bookings", booked).body["id"]
    way = {"from": {"type": "IATA", "code": "PMI"}, "to": {"type": "HOTEL", "code": "265"},
           "outbound": "2027-02-03T14:30:00", "adults": 2}  # fmt: skip
    quote = api.post("/v1/transfers/searches", way).body["offers"][0]["quoteId"]
    transfer = api.post("/v1/transfers/orders", {"quoteId": quote, "leadPassenger": LEAD}).body["id"]
    give_up = time.monotonic() + SETTLED_SECONDS
    while (state := asked(cursor, STATE, {"hotel": hotel, "transfer": transfer})) != (
        SETTLED + DELIVERED + LOGGED,
    ):
        assert time.monotonic() < give_up, state
        time.sleep(0.5)
    return str(hotel), str(transfer)


def partner(site: Site, hooks: str) -> str:
    """The test key of a new partner who listens at `hooks`."""
    terms = ["--name", f"Partner {secrets.token_hex(3)}", "--currency", "EUR", "--balance-cents", "900000000000000"]  # fmt: skip
    words = ["create_partner", *terms, "--scopes", SCOPES, "--rate", RATES, "--json"]
    secret = json.loads(site.release.manage(site.environment(site.release), *words))["testKey"]
    endpoint = {"url": hooks, "events": ["booking.confirmed"]}
    made = HttpApi(site.front.url, secret).post("/v1/webhooks/endpoints", endpoint)
    assert made.status == 201, made.body
    return str(secret)


@contextmanager
def listening(site: Site) -> Iterator[str]:
    """Where a partner's program takes every webhook."""
    port = free_port()
    words = [sys.executable, "-m", "tests.bench.receiver", str(port)]
    receiver = Program(words, site.directory / "receiver.log", cwd=ROOT)
    try:
        receiver.wait_for_port(port)
        yield f"http://127.0.0.1:{port}/hooks"
    finally:
        receiver.end()


@contextmanager
def alone(pair: Pair) -> Iterator[None]:
    """The primary without its standby, without an archive and without waiting for the disk. Afterwards it is as before."""
    pair.primary.require_standby(False)
    pair.standby.end()
    pair.primary.ask("ALTER SYSTEM SET fsync = off")
    pair.primary.ask("ALTER SYSTEM SET archive_command = '/bin/true'")
    pair.primary.ask("ALTER SYSTEM SET max_wal_size = '4GB'")
    pair.primary.ask("SELECT pg_reload_conf()")
    yield
    pair.primary.ask("ALTER SYSTEM RESET ALL")
    pair.primary.ask("SELECT pg_reload_conf()")
    pair.primary.ask("CHECKPOINT")
    pair.follow()


@contextmanager
def connected(node: Node) -> Iterator[Any]:
    """A superuser's cursor that commits by itself."""
    address = f"host=127.0.0.1 port={node.port} user={SUPERUSER} dbname={DATABASE}"
    with psycopg.connect(address, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        yield connection.cursor()


def asked(cursor: Any, statement: str, parameters: Any = None) -> tuple[Any, ...]:
    cursor.execute(statement, parameters)
    row: tuple[Any, ...] = cursor.fetchone()
    return row


def gigabytes(count: float) -> str:
    return f"{count / 2**30:.1f} GiB"


def said(words: str) -> None:
    sys.stderr.write(f"  {words}\n")
