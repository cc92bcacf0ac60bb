"""The service beside a platform as it is usually built (`tests/bench/peer`), and beside a plain Django view.

Both run under our web server with as many processes and threads, on the same PostgreSQL and Redis, with as many partners. Every
cell is fired at in turn, in another order each round. Processor time is the web processes' own: it moves less than throughput
with whatever else the machine does.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from tests.bench import stays
from tests.bench.load import Shot, fire
from tests.bench.request_log import FLUSHED_SECONDS, wait_until_written
from tests.bench.server import DATABASE, Server, drop_database, fresh_database, manage, served, web_server
from tests.bench.stays import ACCOUNT, BOOKING, CALLS, SEARCH

ROUNDS = 5
SECONDS = 3.0
PARTNERS = 256
TICK = 1 / os.sysconf("SC_CLK_TCK")
"""What the system counts processor time in."""
WORKERS, THREADS = 2, 4
OURS, PEER, PLAIN = "ours", "peer", "plain"

Partners = list[dict[str, str]]


@dataclass(frozen=True)
class Cell:
    """One kind of call to one of the servers."""

    whose: str
    server: Server
    shot: Shot


@dataclass(frozen=True)
class Figures:
    """Of one volley: calls a second, and milliseconds of the web processes' processor time a call."""

    per_second: float
    processor: float


Found = dict[tuple[str, str], list[Figures]]
"""By whose it is and the call's name, a volley a round."""


def main(rounds: int = ROUNDS, seconds: float = SECONDS, partners: int = PARTNERS) -> None:
    with served(WORKERS, THREADS) as ours, served_peer() as peer:
        report(measured(cells(ours, peer, partners), rounds, seconds))
    print(f"{partners} partners each; medians of {rounds} rounds, by turns, and of the rounds' own ratios.")


# --- The servers and what they are asked ----------------------------------------------------------------------------
@contextmanager
def served_peer() -> Iterator[Server]:
    """The peer under our web server, on a database of its own, which is dropped afterwards."""
    name = f"{DATABASE}_peer{os.environ.get('PYTEST_XDIST_WORKER', '')}"
    settings = {"DJANGO_SETTINGS_MODULE": "tests.bench.peer.settings"}
    environment = {**os.environ, **fresh_database(name), **settings}
    try:
        manage(environment, "migrate", "--run-syncdb", "--no-input", "--verbosity", "0")
        with web_server(environment, WORKERS, THREADS, "tests.bench.peer.wsgi:application") as (port, pid):
            yield Server(port, "", environment, pid)
    finally:
        drop_database(name)


def cells(ours: Server, peer: Server, partners: int) -> list[Cell]:
    here = made_by("tests.bench.partners", ours, partners)
    there = made_by("tests.bench.peer.seed", peer, partners)
    plain = Shot.in_turn([Shot.get("plain Django view", "/v1/plain", each["secret"]) for each in there])
    return [
        Cell(PLAIN, peer, plain),
        *(Cell(PEER, peer, shot) for shot in shots(there)),
        *(Cell(OURS, ours, shot) for shot in shots(here)),
    ]


def made_by(module: str, server: Server, partners: int) -> Partners:
    """The partners that a module makes in the environment of the server."""
    command = [sys.executable, "-m", module, str(partners)]
    done = subprocess.run(command, env=server.environment, check=True, stdout=subprocess.PIPE, text=True)
    found: Partners = json.loads(done.stdout.splitlines()[-1])
    return found


def shots(partners: Partners) -> list[Shot]:
    """The three operations, each asked by all partners in turn."""
    cities = stays.LARGE_CITIES
    searches = [json.dumps(stays.search(cities[number % len(cities)])) for number in range(len(partners))]
    return [
        Shot.in_turn([Shot.get(ACCOUNT, "/v1/account", each["secret"]) for each in partners]),
        Shot.in_turn(
            [
                Shot.post(SEARCH, "/v1/hotels/searches", each["secret"], body)
                for each, body in zip(partners, searches, strict=True)
            ]
        ),
        Shot.in_turn(
            [
                Shot.post(
                    BOOKING,
                    "/v1/hotels/bookings",
                    each["secret"],
                    json.dumps(stays.booking(each["rateId"])),
                )
                for each in partners
            ]
        ),
    ]


# --- Measuring ------------------------------------------------------------------------------------------------------
def measured(all_cells: list[Cell], rounds: int, seconds: float) -> Found:
    """Every cell in turn, `rounds` times: forwards, then backwards, and so on."""
    found: Found = {(cell.whose, cell.shot.name): [] for cell in all_cells}
    for cell in all_cells:
        fire(cell.shot, cell.server.port, min(1.0, seconds), f"warm-{cell.whose}-{cell.shot.seed}")
    for number in range(rounds):
        for cell in all_cells if number % 2 else all_cells[::-1]:
            found[cell.whose, cell.shot.name].append(volley(cell, seconds, f"{number}-{cell.shot.seed}"))
    return found


def volley(cell: Cell, seconds: float, seed: str) -> Figures:
    wait_until_written(cell.server)
    before = cell.server.cpu_seconds
    fired = fire(cell.shot, cell.server.port, seconds, f"{cell.whose}-{seed}")
    time.sleep(FLUSHED_SECONDS)  # what the request log still has to hand over belongs to these calls
    spent = max(TICK, cell.server.cpu_seconds - before)
    return Figures(fired.per_second, 1000 * spent / (fired.per_second * seconds))


# --- The table ------------------------------------------------------------------------------------------------------
def report(found: Found) -> None:
    (plain,) = (volleys for (whose, _), volleys in found.items() if whose == PLAIN)
    print(f"\n{'':22}{'calls a second':^30}{'ms of the web processes’ processor a call':^46}")
    print(
        f"{'':22}{'ours':>10}{'peer':>10}{'ratio':>10}{'ours':>12}{'peer':>10}{'ratio':>10}{'of plain':>12}"
    )
    for name in CALLS:
        print(line(name, found[OURS, name], found[PEER, name], plain))
    rate, processor = middle(plain)
    print(f"{'plain Django view':22}{rate:10.0f}{'':20}{processor:12.3f}")
    print("Ratio: how many times as many calls, and how many times less processor time, as the peer.")


def line(name: str, ours: list[Figures], peer: list[Figures], plain: list[Figures]) -> str:
    rounds = list(zip(ours, peer, plain, strict=True))
    faster = median(a.per_second / b.per_second for a, b, _ in rounds)
    leaner = median(b.processor / a.processor for a, b, _ in rounds)
    of_plain = median(a.processor / c.processor for a, _, c in rounds)
    (our_rate, our_cost), (their_rate, their_cost) = middle(ours), middle(peer)
    return (
        f"{name:22}{our_rate:10.0f}{their_rate:10.0f}{faster:10.2f}"
        f"{our_cost:12.3f}{their_cost:10.3f}{leaner:10.2f}{of_plain:12.2f}"
    )


def middle(volleys: list[Figures]) -> tuple[float, float]:
    return median(each.per_second for each in volleys), median(each.processor for each in volleys)
