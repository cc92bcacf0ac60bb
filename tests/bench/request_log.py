"""What the request log costs: the same reads, answered by servers that keep it and by servers that do not.

First the web processes, whose entries wait in Redis meanwhile: a server of each kind is fired at in the same seconds, so that
whatever else the machine does meets both. Processes of one program differ in speed by some percent for as long as they live, by
where their memory happens to lie: so there are two servers of each kind, and every one meets both of the other kind. Two servers
of one kind, measured in the same way, say how much of a figure is chance.

Then in turns, with a worker that writes the entries down on the same cores, which in production it has not.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import geometric_mean, median

import redis

from tests.bench.load import Shot, fire
from tests.bench.server import Server, another, served

ROUNDS = 16
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
    with (
        served(REQUEST_LOG="true") as first,
        another(first, REQUEST_LOG="false") as second,
        another(first, REQUEST_LOG="false") as third,
        another(first, REQUEST_LOG="true") as fourth,
    ):
        pair = Pair(on=(first, fourth), off=(second, third))
        for server in (*pair.on, *pair.off):
            one_round(server, "warm")
        print(
            f"\n{'GET account':32}{'off req/s':>11}{'on req/s':>10}{'on/off':>8}{'off ms':>9}{'on ms':>8}{'off/on':>8}"
        )
        report("the web processes", *side_by_side(pair, rounds))
        report("chance: two of one kind", *side_by_side(Pair(on=pair.off, off=pair.off[::-1]), rounds // 2))
        with worker(first):
            report("and a worker on the same cores", *in_turns(pair, rounds))
    print(
        "ms: processor time of the web processes for each call, which other work on the machine does not move."
    )


@dataclass(frozen=True)
class Pair:
    """Two servers of each kind, neither kind begun first."""

    on: tuple[Server, Server]
    off: tuple[Server, Server]


def side_by_side(pair: Pair, rounds: int) -> tuple[list[Round], list[Round]]:
    """`rounds` volleys at one server of each kind at once, each time another two."""
    found: list[tuple[Round, Round]] = []
    with ThreadPoolExecutor(2) as pool:
        for number in range(rounds):
            two = pair.on[number % 2], pair.off[number // 2 % 2]
            wait_until_written(pair.on[0])
            on, off = pool.map(one_round, two, (f"on-{number}", f"off-{number}"))
            found.append((on, off))
    return [on for on, _ in found], [off for _, off in found]


def in_turns(pair: Pair, rounds: int) -> tuple[list[Round], list[Round]]:
    """`rounds` volleys at each server, each time in another order; between them nothing is left to write down."""
    found: dict[int, list[Round]] = {server.port: [] for server in (*pair.on, *pair.off)}
    order = [pair.on[0], pair.off[0], pair.off[1], pair.on[1]]
    for number in range(rounds):
        order = [*order[1:], order[0]] if number % 2 else order[::-1]
        for server in order:
            wait_until_written(pair.on[0])
            found[server.port].append(one_round(server, f"{number}"))
    return together(found, pair.on), together(found, pair.off)


def together(found: dict[int, list[Round]], servers: tuple[Server, Server]) -> list[Round]:
    """The mean of the two, round by round."""
    rounds = zip(*(found[server.port] for server in servers), strict=True)
    return [
        Round(geometric_mean([one.per_second, other.per_second]), geometric_mean([one.cpu_ms, other.cpu_ms]))
        for one, other in rounds
    ]


def one_round(server: Server, seed: str) -> Round:
    before = server.cpu_seconds
    volley = fire(_account(server), server.port, SECONDS, seed)
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
