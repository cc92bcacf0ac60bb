"""What the request log costs: the same reads, answered by a server that keeps it and by one that does not.

Both serve one database and are fired at in turn, so that a change of the machine's speed meets both. First the web processes
alone, whose entries wait in Redis; then with a worker that writes them down, on the same cores, which in production it has not.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

import redis

from tests.bench.load import Shot, fire
from tests.bench.server import Server, another, served

ROUNDS = 24
SECONDS = 1.0  # many short rounds: other work on the machine then meets both sides alike
GOAL = 0.95
FLUSHED_SECONDS = 0.5  # what is in the processes still, is in Redis then
WORKER = """
import time, django
django.setup()
from apps.gateway.request_log.drain import drain
while True:
    drain()
    time.sleep(1)
"""


@dataclass(frozen=True)
class Round:
    """One volley: calls a second, and processor time that the web processes spent on each."""

    per_second: float
    cpu_ms: float


def main(rounds: int = ROUNDS) -> None:
    with served(REQUEST_LOG="true") as on, another(on, REQUEST_LOG="false") as off:
        print(
            f"\n{'GET account':32}{'off req/s':>11}{'on req/s':>10}{'on/off':>8}{'off ms':>9}{'on ms':>8}{'off/on':>8}"
        )
        report("the web processes", *measure(on, off, rounds))
        with worker(on):
            report("and a worker on the same cores", *measure(on, off, rounds))
    print(
        "ms: processor time of the web processes for each call, which other work on the machine does not move."
    )


def measure(on: Server, off: Server, rounds: int) -> tuple[list[Round], list[Round]]:
    """`rounds` volleys at each, the first alternating; between them nothing is left to write down."""
    found: dict[int, list[Round]] = {on.port: [], off.port: []}
    for server in (on, off):
        fire(_account(server), server.port, 1.0, "warm")
    for number in range(rounds):
        for server in (on, off) if number % 2 else (off, on):
            wait_until_written(on)
            found[server.port].append(one_round(server, number))
    return found[on.port], found[off.port]


def one_round(server: Server, number: int) -> Round:
    before = server.cpu_seconds
    volley = fire(_account(server), server.port, SECONDS, f"{number}")
    time.sleep(FLUSHED_SECONDS)
    return Round(volley.per_second, (server.cpu_seconds - before) / (volley.per_second * SECONDS) * 1000)


def report(what: str, on: list[Round], off: list[Round]) -> None:
    faster = median(a.per_second / b.per_second for a, b in zip(on, off, strict=True))
    leaner = median(b.cpu_ms / a.cpu_ms for a, b in zip(on, off, strict=True))
    rates = [median(one.per_second for one in side) for side in (off, on)]
    costs = [median(one.cpu_ms for one in side) for side in (off, on)]
    short = "" if max(faster, leaner) >= GOAL else "  below the goal"
    print(
        f"{what:32}{rates[0]:11.0f}{rates[1]:10.0f}{faster:8.3f}{costs[0]:9.3f}{costs[1]:8.3f}{leaner:8.3f}{short}"
    )


def wait_until_written(server: Server) -> None:
    """Until the stream is empty, or, where no worker is there to empty it, by emptying it."""
    client = redis.Redis.from_url(server.environment["REDIS_URL"])
    give_up = time.monotonic() + (10 if _workers else 0)
    while client.exists("request-log") and time.monotonic() < give_up:
        time.sleep(0.05)
    client.delete("request-log", "request-log:bytes")


_workers: list[object] = []


@contextmanager
def worker(server: Server) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", WORKER], env=server.environment, cwd=os.getcwd())
    _workers.append(process)
    try:
        yield
    finally:
        _workers.remove(process)
        process.terminate()
        process.wait(10)


def _account(server: Server) -> Shot:
    return Shot.get("GET account", "/v1/account", server.secret)
