"""PostgreSQL restarts, Redis disappears, while partners go on: clean refusals, nothing acknowledged lost (reliability T2, I6)."""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chaos.persistence import PatientShop, insist
from tests.judge.process import Judge
from tests.support.flight_shop import FlightShop
from tests.support.private_servers import Postgres, Redis
from tests.support.programs import output
from tests.support.stack import SHORT_WAITS, HttpApi, NoAnswer, manage, serving, variables
from tests.support.template import copy_to

pytestmark = pytest.mark.slow

BUYERS = 4
BREAKER_SECONDS = 1
LONGEST_SECONDS = 60
"""That anything may take on a busy machine."""
PATIENT = {
    "DATABASE_LOCK_TIMEOUT_MS": 60_000,
    "DATABASE_STATEMENT_TIMEOUT_MS": 60_000,
    "DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS": 60_000,
}
"""Here databases are away, not slow."""


class Order(NamedTuple):
    """One order, when it began and ended, and what it was answered: its id, or the error's type."""

    began: float
    ended: float
    status: int
    words: str


@dataclass
class Private:
    """A service with servers of its own, to be taken away."""

    url: str
    shop: FlightShop
    postgres: Postgres
    redis: Redis
    environment: dict[str, object]

    def violations(self) -> list[str]:
        """What the checker finds in the private database, once recovery has been run."""
        words = ["-m", "tests.support.verdict", str(self.environment["JUDGE_URL"])]
        found: list[str] = json.loads(output(words, {**os.environ, **variables(self.environment)}))
        return found


@pytest.fixture(scope="module")
def private(server_directory: Path, running_judge: Judge) -> Iterator[Private]:
    running_judge.forget()
    postgres, redis = Postgres(server_directory / "postgres"), Redis(server_directory / "redis")
    postgres.start()
    redis.start()
    environment: dict[str, object] = {
        "DATABASE_URL": postgres.url,
        "REDIS_URL": redis.url,
        "SECRET_KEY": "chaos",
        "FIELD_ENCRYPTION_KEYS": "Wk9fUU5zV0R3bGJmZ2h1dGVzdHNvbmx5a2V5MDAwMDA=",
        **running_judge.environment,
        "REDIS_BREAKER_SECONDS": BREAKER_SECONDS,
        **SHORT_WAITS,
        **PATIENT,
    }
    copy_to(postgres.url)
    terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "1000000000", "--json"]
    rates = ["--rate", "SEARCH=1000000,BOOKING=1000000,READ=1000000"]
    secret = json.loads(manage(environment, "create_partner", *terms, *rates))["testKey"]
    try:
        with serving(environment, workers=2, threads=8) as url:
            yield Private(url, PatientShop(HttpApi(url, secret)), postgres, redis, environment)
    finally:
        redis.stop()
        postgres.stop("immediate")


class Load:
    """Buyers who order until told to stop, each order once, and a reader; what they were answered, and when.

    In the suite, where other tests want the processors, they rest for longer between orders than in `make chaos`.
    """

    def __init__(self, shop: FlightShop, chaos_runs: int) -> None:
        self.shop, self.offer = shop, shop.offer()
        self.rest_seconds = 0.02 if chaos_runs else 0.15
        self.orders: list[Order] = []
        self.reads: list[int] = []
        self.refused_reads: list[str] = []
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=self._buy) for _ in range(BUYERS)]
        self.threads.append(threading.Thread(target=self._read))

    def __enter__(self) -> "Load":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join()

    def get_going(self) -> None:
        """Until orders are being made, on however busy a machine."""
        self.wait_until(lambda: len(self.acknowledged) >= BUYERS)
        time.sleep(0.3)

    def wait_until(self, holds: Callable[[], bool]) -> None:
        give_up = time.monotonic() + LONGEST_SECONDS
        while not holds():
            assert time.monotonic() < give_up, self.statuses
            time.sleep(0.02)

    def begun_after(self, instant: float) -> list[Order]:
        return [order for order in self.orders if order.began > instant]

    @property
    def acknowledged(self) -> set[str]:
        return {order.words for order in self.orders if order.status == 201}

    @property
    def statuses(self) -> Counter[int]:
        return Counter(order.status for order in self.orders)

    def _buy(self) -> None:
        while not self.stop.is_set():
            began = time.monotonic()
            try:
                reply = self.shop.order(self.offer)
            except NoAnswer:
                self.orders.append(Order(began, time.monotonic(), 0, ""))
            else:
                words = reply.body["id"] if reply.status == 201 else str(reply.error_type)
                self.orders.append(Order(began, time.monotonic(), reply.status, words))
            time.sleep(self.rest_seconds)

    def _read(self) -> None:
        while not self.stop.is_set():
            reply = self.shop.api.get("/v1/account/ledger")
            if reply.status == 503:  # a database that is too busy says so once; a partner asks again
                self.refused_reads.append(str(reply.body))
                time.sleep(0.5)
                reply = self.shop.api.get("/v1/account/ledger")
            self.reads.append(reply.status)
            time.sleep(self.rest_seconds)


def all_orders(shop: FlightShop) -> dict[str, str]:
    """Every order's status, page by page. A process that has not been asked since the restart may answer 503 once."""
    found: dict[str, str] = {}
    path = "/v1/flights/orders?limit=100"
    while path:
        body = insist(partial(shop.api.get, path)).reply.body
        found |= {order["id"]: order["status"] for order in body["data"]}
        path = f"/v1/flights/orders?limit=100&cursor={body['nextCursor']}" if body.get("nextCursor") else ""
    return found


@pytest.mark.slow
def test_a_restart_of_postgresql_loses_nothing_acknowledged(
    private: Private, chaos_runs: int, figure: Callable[[str], None]
) -> None:
    restarts = 2 * chaos_runs or 1
    outages: list[float] = []
    acknowledged: set[str] = set()
    statuses: Counter[int] = Counter()
    for _ in range(restarts):
        with Load(private.shop, chaos_runs) as load:
            load.get_going()
            private.postgres.stop("immediate")
            stopped = time.monotonic()
            private.postgres.start()
            back = time.monotonic()
            load.wait_until(lambda back=back: any(o.ended > back and o.status == 201 for o in load.orders))
            outages.append(time.monotonic() - back)
        assert any(order.ended < stopped and order.status == 201 for order in load.orders)
        acknowledged |= load.acknowledged
        statuses += load.statuses
    assert set(statuses) <= {201, 503}, statuses
    assert max(outages) < 5 or not chaos_runs  # in the suite others want the processors
    assert private.violations() == []
    orders = all_orders(private.shop)
    assert {order_id for order_id in acknowledged if orders.get(order_id) != "ticketed"} == set()
    figure(
        f"PostgreSQL: {restarts} immediate restarts, {len(acknowledged)} orders acknowledged, 0 lost, "
        f"{statuses[503]} × 503; orders again {max(outages):.1f} s after it was back at the latest"
    )


def test_without_redis_reads_go_on_and_bookings_are_refused_cleanly(
    private: Private, chaos_runs: int, figure: Callable[[str], None]
) -> None:
    private.shop.offer()
    with Load(private.shop, chaos_runs) as load:
        load.get_going()
        private.redis.kill()
        gone = time.monotonic()
        load.wait_until(lambda: len(load.begun_after(gone)) >= 2 * BUYERS)
        searched = private.shop.api.post(
            "/v1/flights/searches",
            {"origin": "LIS", "destination": "BER", "departureDate": load.offer["expiresAt"][:10]},
        )
        missed = time.monotonic()
        private.redis.start()
        back = time.monotonic()
        load.wait_until(lambda: is_normal(load.begun_after(back)))
        normal = time.monotonic()
    during = Counter(order.status for order in load.begun_after(gone) if order.ended < missed)
    assert (searched.status, searched.error_type) == (503, "upstream_unavailable")
    assert set(during) == {503}
    assert normal - back < 5 or not chaos_runs  # in the suite others want the processors
    assert set(load.statuses) == {201, 503}
    assert set(load.reads) == {200}, load.refused_reads
    assert len(load.refused_reads) <= 1, load.refused_reads
    assert private.violations() == []
    figure(
        f"Redis gone: {len(load.reads)} reads all 200, {during[503]} orders refused with 503, 0 × 500; "
        f"normal again {normal - back:.1f} s after it was back"
    )


def is_normal(orders: Sequence[Order]) -> bool:
    """Whether all processes serve again: a dozen in a row, of four buyers, met none that does not."""
    return [order.status for order in orders[-12:]] == [201] * 12
