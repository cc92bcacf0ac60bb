"""What the other products feel while one supplier hangs on every search: their p95 beside the p95 of the minute before.

Live hotel searches go to the stand-in of LiteAPI, at an even pace, first while it answers and then while it takes each request
and says nothing. The other three products are fired at meanwhile, from the simulators, over the same web processes.
"""

import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from statistics import median

from tests.bench.load import Shot, fire
from tests.bench.server import LIMITS, Server, manage, served
from tests.hotels.suppliers.liteapi.stub import BOOKING, KEY, SEARCHING

ROUNDS = 3
SECONDS = 3.0
SEARCHERS = 24
THINK_SECONDS = 3.0
GOAL = 1.5
HANG = {"method": "POST", "path": f"{SEARCHING}/hotels/rates", "accept": False, "end": "hang", "times": -1}
LISBON = {"destination": {"city": "Lisbon", "countryCode": "PT"}}


def main(rounds: int = ROUNDS) -> None:
    with stub() as address:
        variables = {
            "HOTELS_SUPPLIER": "liteapi",
            "LITEAPI_KEY": KEY,
            "LITEAPI_PAYMENT_METHOD": "ACC_CREDIT_CARD",
            "LITEAPI_BASE_URL": address + SEARCHING,
            "LITEAPI_BOOKING_BASE_URL": address + BOOKING,
            "REDIS_TIMEOUT_SECONDS": "0.5",  # a machine that does other things, too, must not spoil the row
        }
        with served(threads=8, **variables) as server, searching(server) as works:
            manage(server.environment, "sync_esim_plans")
            report(*measure(server, address, works, rounds))


def measure(
    server: Server, stub: str, works: Callable[[], bool], rounds: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """The p95 of each product in each round, while hotel searches are answered, and while they hang."""
    shots = others(server)
    for shot in shots:
        fire(shot, server.port, 1.0, f"warm-{shot.seed}")
    answered: dict[str, list[float]] = {shot.name: [] for shot in shots}
    hanging: dict[str, list[float]] = {shot.name: [] for shot in shots}
    for number in range(rounds):
        tell(stub, "/_calm", {})
        wait_until(works)
        for shot in shots:
            answered[shot.name].append(fire(shot, server.port, SECONDS, f"a{number}-{shot.seed}").p95)
        tell(stub, "/_control", HANG)
        wait_until(lambda: not works())
        for shot in shots:
            hanging[shot.name].append(fire(shot, server.port, SECONDS, f"h{number}-{shot.seed}").p95)
    return answered, hanging


def report(answered: dict[str, list[float]], hanging: dict[str, list[float]]) -> None:
    print(f"\n{'one supplier hangs on searches':34}{'p95 before':>11}{'p95 during':>11}{'ratio':>9}")
    for name, before in answered.items():
        ratio = median(a / b for a, b in zip(hanging[name], before, strict=True))
        short = "" if ratio <= GOAL else "  above the goal"
        print(f"{name:34}{median(before):11.2f}{median(hanging[name]):11.2f}{ratio:9.2f}{short}")


def others(server: Server) -> list[Shot]:
    """A search, or the list of plans, of each product that has another supplier."""
    day = (datetime.now(UTC) + timedelta(days=60)).date().isoformat()
    flight = {"origin": "LIS", "destination": "BER", "departureDate": day, "limit": 5}
    transfer = {
        "from": {"type": "IATA", "code": "PMI"},
        "to": {"type": "HOTEL", "code": "265"},
        "outbound": f"{day}T14:30:00",
        "adults": 2,
    }
    return [
        Shot.post("POST flight search", "/v1/flights/searches", server.secret, json.dumps(flight)),
        Shot.post("POST transfer search", "/v1/transfers/searches", server.secret, json.dumps(transfer)),
        Shot.get("GET eSIM plans", "/v1/esim/plans", server.secret),
    ]


@contextmanager
def stub() -> Iterator[str]:
    """The address of a stand-in in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.hotels.suppliers.liteapi.stub"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


@contextmanager
def searching(server: Server) -> Iterator[Callable[[], bool]]:
    """Customers who search for hotels with a live key, each a few seconds after the last answer.

    What is yielded tells whether the last search that ended was answered, by status and soon.
    """
    terms = ("--name", "Live", "--currency", "EUR", "--balance-cents", "100000", "--live")
    limits = ("--rate", LIMITS, "--search-quota", "100000000", "--json")
    partner = json.loads(manage(server.environment, "create_partner", *terms, *limits))
    last: list[int] = [0]
    over = threading.Event()

    def customer(number: int) -> None:
        over.wait(THINK_SECONDS * number / SEARCHERS)
        while not over.is_set():
            last[0] = search(server, partner["liveKey"])
            over.wait(THINK_SECONDS)

    threads = [threading.Thread(target=customer, args=(number,), daemon=True) for number in range(SEARCHERS)]
    for thread in threads:
        thread.start()
    try:
        yield lambda: last[0] == 201
    finally:
        over.set()


def search(server: Server, secret: str) -> int:
    """The status of a hotel search."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/v1/hotels/searches",
        data=json.dumps(LISBON).encode(),
        headers={
            "Authorization": f"Bearer {secret}",
            "Content-Type": "application/json",
            "Idempotency-Key": f"hotels-{threading.get_ident()}-{time.monotonic_ns()}",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0


def tell(stub: str, path: str, told: dict[str, object]) -> None:
    request = urllib.request.Request(stub + path, data=json.dumps(told).encode())
    urllib.request.urlopen(request, timeout=10).close()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Twice in a row, a second apart: what was under way has ended."""
    soon = time.monotonic() + 120
    seen = 0
    while seen < 2:
        seen = seen + 1 if is_so() else 0
        if time.monotonic() > soon:
            raise RuntimeError("the stand-in was not heard as it was told to be")
        time.sleep(1.0)
