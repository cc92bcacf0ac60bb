"""The service beside a platform as it is usually built: `tests/bench/peer`.

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
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import NamedTuple

from tests.bench.load import Shot, fire
from tests.bench.server import Server, empty_database, web_server
from tests.support.service_processes import service

SECONDS = 3.0
PARTNERS = 256
WORKERS, THREADS = 2, 4
LOGGED_SECONDS = 0.7  # what the request log still has to hand over after a volley belongs to its calls
ACCOUNT, SEARCH, BOOKING = CALLS = ("GET account", "POST hotel search", "POST hotel booking")
CITIES = ("Paris", "Rome", "Madrid", "Berlin", "London", "Tokyo", "Bangkok", "Cairo")
"""Of twenty hotels each."""
OURS, PEER = "ours", "peer"


class Cell(NamedTuple):
    """One kind of call to one of the servers."""

    whose: str
    server: Server
    shot: Shot


class Volley(NamedTuple):
    """Calls a second, and milliseconds of the web processes' processor time a call."""

    per_second: float
    processor: float


Found = dict[tuple[str, str], list[Volley]]
"""By whose it is and the call's name, a volley a round."""


def main(rounds: int, seconds: float = SECONDS, partners: int = PARTNERS) -> None:
    with (
        service("bench") as environment,
        web_server(environment, WORKERS, THREADS) as ours,
        served_peer() as peer,
    ):
        report(measured(cells(ours, peer, partners), rounds, seconds))
    print(f"{partners} partners each; medians of {rounds} rounds, by turns, and of the rounds' own ratios.")


@contextmanager
def served_peer() -> Iterator[Server]:
    """The peer under our web server, on a database of its own."""
    with empty_database("bench_peer") as url:
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "tests.bench.peer.settings",
        }
        migrate = ["manage.py", "migrate", "--run-syncdb", "--no-input", "--verbosity", "0"]
        subprocess.run([sys.executable, *migrate], env=environment, check=True)
        with web_server(environment, WORKERS, THREADS, "tests.bench.peer.wsgi:application") as server:
            yield server


def cells(ours: Server, peer: Server, partners: int) -> list[Cell]:
    both = ((PEER, peer), (OURS, ours))
    return [
        Cell(whose, server, shot) for whose, server in both for shot in shots(partners_of(server, partners))
    ]


def partners_of(server: Server, count: int) -> list[dict[str, str]]:
    command = [sys.executable, "-m", "tests.bench.partners", str(count)]
    done = subprocess.run(command, env=server.environment, check=True, stdout=subprocess.PIPE, text=True)
    found: list[dict[str, str]] = json.loads(done.stdout.splitlines()[-1])
    return found


def shots(partners: list[dict[str, str]]) -> list[Shot]:
    """The three operations, each asked by all partners in turn. A search finds twenty hotels, for two nights."""
    day = (datetime.now(UTC) + timedelta(days=60)).date()
    stay = {"checkIn": day.isoformat(), "checkOut": (day + timedelta(days=2)).isoformat(), "limit": 20}
    guest = {"firstName": "Ada", "lastName": "Byron", "type": "adult"}
    contact = {"email": "ada@example.com", "phone": "+351210000000"}
    accounts, searches, bookings = [], [], []
    for number, each in enumerate(partners):
        search = json.dumps({**stay, "destination": {"city": CITIES[number % len(CITIES)]}})
        booking = json.dumps({"rateId": each["rateId"], "guests": [guest], "contact": contact})
        accounts.append(Shot.get(ACCOUNT, "/v1/account", each["secret"]))
        searches.append(Shot.post(SEARCH, "/v1/hotels/searches", each["secret"], search))
        bookings.append(Shot.post(BOOKING, "/v1/hotels/bookings", each["secret"], booking))
    return [Shot.in_turn(one) for one in (accounts, searches, bookings)]


def measured(all_cells: list[Cell], rounds: int, seconds: float) -> Found:
    """Every cell in turn, `rounds` times: forwards, then backwards, and so on."""
    found: Found = {(cell.whose, cell.shot.name): [] for cell in all_cells}
    for cell in all_cells:
        fire(cell.shot, cell.server.port, min(1.0, seconds), f"warm-{cell.whose}-{cell.shot.seed}")
    for number in range(rounds):
        for cell in all_cells if number % 2 else all_cells[::-1]:
            found[cell.whose, cell.shot.name].append(volley(cell, seconds, f"{number}-{cell.shot.seed}"))
    return found


def volley(cell: Cell, seconds: float, seed: str) -> Volley:
    before = cell.server.cpu_seconds
    rate = fire(cell.shot, cell.server.port, seconds, f"{cell.whose}-{seed}")
    time.sleep(LOGGED_SECONDS)
    spent = max(1 / os.sysconf("SC_CLK_TCK"), cell.server.cpu_seconds - before)
    return Volley(rate, 1000 * spent / (rate * seconds))


def report(found: Found) -> None:
    print(f"\n{'':22}{'calls a second':^30}{'ms of the web processes’ processor a call':^32}")
    print(f"{'':22}{'ours':>10}{'peer':>10}{'ratio':>10}{'ours':>12}{'peer':>10}{'ratio':>10}")
    for name in CALLS:
        ours, peer = found[OURS, name], found[PEER, name]
        rounds = list(zip(ours, peer, strict=True))
        faster = median(a.per_second / b.per_second for a, b in rounds)
        leaner = median(b.processor / a.processor for a, b in rounds)
        (rate, cost), (their_rate, their_cost) = middle(ours), middle(peer)
        print(
            f"{name:22}{rate:10.0f}{their_rate:10.0f}{faster:10.2f}"
            f"{cost:12.3f}{their_cost:10.3f}{leaner:10.2f}"
        )
    print("Ratio: how many times as many calls, and how many times less processor time, as the peer.")


def middle(volleys: list[Volley]) -> tuple[float, float]:
    return median(each.per_second for each in volleys), median(each.processor for each in volleys)
