"""Webhooks: deliveries a second beside a naive worker's, the sweep beside a long history, pruning beside deliveries.

`deliveries()` is part of `make bench`; `growth()` of `make bench ARGS=growth`, on a million generated rows.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import psycopg

from config.embedded import with_database
from tests.bench.server import manage
from tests.support.own_service import own_database
from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 3
OURS, NAIVE = 4_000, 400  # deliveries of a round
ENDPOINTS = 20
FEW, MANY = 1_000, 1_000_000
SWEEPS = 200
DUE = 100
EVENTS_A_SECOND = 2  # for twenty endpoints each

Environment = dict[str, str]

# History: delivered 31 days ago, an attempt each.
HISTORY = """
INSERT INTO webhooks_event (id, account_id, environment, type, payload, booking_id, booking_reference, request_id, created_at)
SELECT 'evt_00' || lpad(n::text, 24, '0'), %(account)s, 'test', 'booking.confirmed', repeat('x', 300), '', '', '',
       now() - interval '31 days' + n * interval '10 ms'
  FROM generate_series(1, %(count)s) n;
INSERT INTO webhooks_delivery (id, event_id, endpoint_id, account_id, environment, event_type, status, attempt_count,
                               lost_count, created_at, completed_at)
SELECT 'whd_00' || right(e.id, 24), e.id, (%(endpoints)s::text[])[1 + e.n %% %(places)s], e.account_id, e.environment, e.type,
       'DELIVERED', 1, 0, e.created_at, e.created_at
  FROM (SELECT *, right(id, 9)::int AS n FROM webhooks_event) e;
INSERT INTO webhooks_attempt (delivery_id, endpoint_id, number, attempted_at, duration_ms, request_headers, status_code,
                              response_body, error_code, error, counted, manual)
SELECT id, endpoint_id, 1, created_at, 20, '{"X-Service-Signature": "t=1700000000,v1=00"}', 200, 'ok', '', '', true, false
  FROM webhooks_delivery ORDER BY id;
"""


# --- Deliveries a second ---------------------------------------------------------------------------------------------
def deliveries() -> None:
    """One worker process of ours, and one that makes a task and a `requests.post` of each, in turn."""
    with (
        service("bench_webhooks") as environment,
        receiver() as url,
        worker(environment, url) as ours,
        naive_worker(environment),
    ):
        ours.ask("naive 20")
        ours.ask(f"ours {ENDPOINTS * 5}")
        rounds = [(ours.ask(f"ours {OURS}"), ours.ask(f"naive {NAIVE}")) for _ in range(ROUNDS)]
    fast, slow = (median(rates) for rates in zip(*rounds, strict=True))
    ratio = median(a / b for a, b in rounds)
    print(f"\n{'webhooks: deliveries of one worker process':48}{'a second':>10}{'ratio':>8}")
    print(f"{'claimed batches, kept connections':48}{fast:10.0f}{ratio:8.1f}")
    print(f"{'one Celery task and one requests.post each':48}{slow:10.0f}{1:8.1f}")


# --- Growth ----------------------------------------------------------------------------------------------------------
def growth() -> None:
    """The sweep with a thousand and with a million delivered rows; then the million pruned while deliveries run."""
    with service("bench_webhooks_few") as few, service("bench_webhooks") as many, receiver() as url:
        with worker(few, url) as short, worker(many, url) as long:
            for side, environment, count in ((short, few, FEW), (long, many, MANY)):
                began = time.monotonic()
                fill(environment, count)
                side.ask(f"due {DUE}")
                print(f"{count:,} delivered rows in {time.monotonic() - began:.0f} s", flush=True)
            print(f"\n{'webhooks: the due-sweep, ms':48}{FEW:>12,}{MANY:>12,}{'ratio':>8}")
            for name, words in (("claim", f"claim of {DUE} due"), ("idle", "nothing due")):
                compare(words, name, short, long)
        prune_under_load(many, url)


def compare(words: str, name: str, short: "Worker", long: "Worker") -> None:
    """In turn, so that a change of the machine's speed meets both."""
    times = [(short.ask(name), long.ask(name)) for _ in range(SWEEPS)][SWEEPS // 10 :]
    few, many = (median(side) for side in zip(*times, strict=True))
    print(f"{words:48}{few:12.2f}{many:12.2f}{many / few:8.2f}", flush=True)


def prune_under_load(environment: Environment, url: str) -> None:
    """How late attempts are without pruning and during it: from the event's time to the attempt's."""
    with dispatcher(environment), worker(environment, url) as emitter:
        stop = threading.Event()
        feeder = threading.Thread(target=feed, args=(emitter, stop))
        feeder.start()
        time.sleep(3)
        fed = query(environment, "SELECT clock_timestamp()")
        time.sleep(15)
        began = query(environment, "SELECT clock_timestamp()")
        started = time.monotonic()
        said = manage(environment, "prune_webhooks").strip()
        seconds = time.monotonic() - started
        ended = query(environment, "SELECT clock_timestamp()")
        time.sleep(3)
        stop.set()
        feeder.join()
        time.sleep(2)
    print(f"\nwebhooks: {said} In {seconds:.0f} s, {EVENTS_A_SECOND} events a second beside it.")
    for words, instants in (("before", [fed, began]), ("meanwhile", [began, ended])):
        count, middle, worst = query_row(environment, DELAYS, instants)
        print(
            f"{f'delay of an attempt, {words}':48}{count:8} attempts, median {middle:.3f} s, longest {worst:.3f} s"
        )
    left = query(environment, "SELECT count(*) FROM webhooks_delivery WHERE next_attempt_at IS NOT NULL")
    print(f"{left} deliveries left unfinished")


DELAYS = """
SELECT count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY delay), max(delay)
  FROM (SELECT extract(epoch FROM a.attempted_at - d.created_at)::float AS delay
          FROM webhooks_attempt a JOIN webhooks_delivery d ON d.id = a.delivery_id
         WHERE d.created_at BETWEEN %s AND %s) measured"""


def feed(emitter: "Worker", stop: threading.Event) -> None:
    while not stop.is_set():
        emitter.ask("emit")
        time.sleep(1 / EVENTS_A_SECOND)


def fill(environment: Environment, count: int) -> None:
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        rows = connection.execute("SELECT id, account_id FROM webhooks_endpoint ORDER BY id").fetchall()
        endpoints = [endpoint for endpoint, _ in rows]
        values = {"account": rows[0][1], "endpoints": endpoints, "places": len(endpoints), "count": count}
        for statement in HISTORY.strip().rstrip(";").split(";\n"):
            connection.execute(statement, {n: v for n, v in values.items() if f"%({n})s" in statement})
        for table in ("event", "delivery", "attempt"):
            connection.execute(f"VACUUM ANALYZE webhooks_{table}")


# --- Processes -------------------------------------------------------------------------------------------------------
class Worker:
    """The other end of `tests.bench.webhooks_worker`: asks for one thing at a time, and gets a number."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, what: str) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


@contextmanager
def worker(environment: Environment, *arguments: str) -> Iterator[Worker]:
    with python("tests.bench.webhooks_worker", *arguments, environment=environment) as process:
        begun = Worker(process)
        begun.ask("ready")
        yield begun


@contextmanager
def naive_worker(environment: Environment) -> Iterator[None]:
    options = (
        "--pool",
        "prefork",
        "--concurrency",
        "1",
        "--without-gossip",
        "--without-mingle",
        "--loglevel",
        "ERROR",
    )
    arguments = ("-A", "tests.bench.naive", "--quiet", "worker", "--queues", "naive", *options)
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    with python("celery", *arguments, environment={**environment, **quiet}):
        yield


@contextmanager
def dispatcher(environment: Environment) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "deliver_webhooks", "--forever"], cwd=ROOT, env=environment
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(40)


@contextmanager
def receiver() -> Iterator[str]:
    """A receiver that costs little, in a process of its own; its URL."""
    port = free_port()
    with python("tests.bench.receiver", str(port), environment=dict(os.environ)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield f"http://127.0.0.1:{port}/hooks"


@contextmanager
def python(module: str, *arguments: str, environment: Environment) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(40)


@contextmanager
def service(name: str) -> Iterator[Environment]:
    """The variables of a service on an empty database of this name, which is dropped afterwards."""
    with own_database(name) as url:
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "REDIS_URL": with_database(os.environ["REDIS_URL"], 15),
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
            "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
            "SIMULATE_LIVE_KEYS": "true",
        }
        yield environment


def query(environment: Environment, statement: str) -> object:
    return query_row(environment, statement, [])[0]


def query_row(environment: Environment, statement: str, values: list[object]) -> tuple:
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        return connection.execute(statement, values).fetchone() or ()
