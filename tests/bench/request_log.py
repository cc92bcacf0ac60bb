"""What the request log costs: the same reads, answered by servers that keep it and by servers that do not.

First the processor time of the web processes, whose entries wait in Redis meanwhile: a server of each kind is called in turn,
call by call, so that whatever else the machine does meets both. Processes of one program differ in speed by some percent for as
long as they live, by where their memory happens to lie: so there are two servers of each kind, and every one meets both of the
other kind. Two servers of one kind, measured in the same way, say how much of a figure is chance.

Then throughput, volley by volley: without a worker, and with one that writes the entries down on the same cores, which in
production it has not. These figures move with the machine.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import geometric_mean, median
from typing import NamedTuple

import redis

from tests.bench.load import Shot, alternate, fire
from tests.bench.server import Server, another, served

ROUNDS = 16
SECONDS = 1.0  # many short rounds: other work on the machine then meets both sides alike
ALTERNATING_SECONDS = 3.0
GOAL = 0.95
FLUSHED_SECONDS = 0.7  # what is in the processes still, is in Redis then
WORKER = """
import time, django
django.setup()
from apps.gateway.request_log.drain import drain
while True:
    drain()
    time.sleep(1)
"""


class Figures(NamedTuple):
    """Of one round, without the log and with it, and what keeps it is worth beside what does not: 1 where it costs nothing."""

    off: float
    on: float
    ratio: float


def main(rounds: int = ROUNDS) -> None:
    with (
        served(REQUEST_LOG="true") as first,
        another(first, REQUEST_LOG="false") as second,
        another(first, REQUEST_LOG="false") as third,
        another(first, REQUEST_LOG="true") as fourth,
    ):
        pair = Pair(on=(first, fourth), off=(second, third))
        for server in (*pair.on, *pair.off):
            fire(_account(server), server.port, 1.0, "warm")
        print(f"\n{'GET account: ms of processor':34}{'off':>8}{'on':>8}{'off/on':>8}")
        report("the web processes", call_by_call(pair, rounds))
        report("chance: two of one kind", call_by_call(Pair(on=pair.off, off=pair.off[::-1]), rounds // 2))
        print(f"\n{'GET account: calls a second':34}{'off':>8}{'on':>8}{'on/off':>8}")
        report("the web processes", in_turns(pair, rounds))
        with worker(first):
            report("and a worker on the same cores", in_turns(pair, rounds))


@dataclass(frozen=True)
class Pair:
    """Two servers of each kind, neither kind begun first."""

    on: tuple[Server, Server]
    off: tuple[Server, Server]


def call_by_call(pair: Pair, rounds: int) -> list[Figures]:
    """Milliseconds of processor for a call, of `rounds` volleys at one server of each kind, each time another two."""
    found = []
    for number in range(rounds):
        two = pair.off[number // 2 % 2], pair.on[number % 2]
        wait_until_written(pair.on[0])
        before = [server.cpu_seconds for server in two]
        calls = alternate(_account(two[0]), [server.port for server in two], ALTERNATING_SECONDS)
        time.sleep(FLUSHED_SECONDS)
        spent = [server.cpu_seconds - began for server, began in zip(two, before, strict=True)]
        off, on = (seconds / calls * 1000 for seconds in spent)
        found.append(Figures(off, on, off / on))
    return found


def in_turns(pair: Pair, rounds: int) -> list[Figures]:
    """Calls a second, of `rounds` volleys at each server, each time in another order; in between nothing is left to write."""
    found = []
    order = [pair.on[0], pair.off[0], pair.off[1], pair.on[1]]
    for number in range(rounds):
        order = [*order[1:], order[0]] if number % 2 else order[::-1]
        rates: dict[int, float] = {}
        for server in order:
            wait_until_written(pair.on[0])
            rates[server.port] = fire(_account(server), server.port, SECONDS, f"{number}").per_second
            time.sleep(FLUSHED_SECONDS)
        off, on = (
            geometric_mean([rates[server.port] for server in servers]) for servers in (pair.off, pair.on)
        )
        found.append(Figures(off, on, on / off))
    return found


def report(what: str, found: list[Figures]) -> None:
    off, on, ratio = (median(each) for each in zip(*found, strict=True))
    digits = 3 if off < 100 else 0
    short = "" if ratio >= GOAL else "  below the goal"
    print(f"{what:34}{off:8.{digits}f}{on:8.{digits}f}{ratio:8.3f}{short}")


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
