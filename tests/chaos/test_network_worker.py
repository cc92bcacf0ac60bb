"""One supplier and some receivers hang at the same time: healthy receivers and settlements do not wait (reliability W5)."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.keys.scopes import ENFORCED
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.support.crew import working
from tests.support.flight_shop import FlightShop, order_body
from tests.support.own_service import own_database
from tests.support.private_redis import PrivateRedis
from tests.support.receiver import Reply, receiving
from tests.support.stack import HttpApi, manage, serving
from tests.support.supplier_stub import Trouble
from tests.support.supplier_stub import serving as standing_in
from tests.transfers.agency import LEAD, SEARCH

pytestmark = pytest.mark.slow

LOST_ORDERS = 8
HANGING_ENDPOINTS = 5
RIDES = 10
HEALTHY_SECONDS = 5.0  # two in `make chaos` on a quiet machine
SETTLED_SECONDS = 15.0
EVENTS = ["booking.confirmed"]
SETTINGS = {
    "FLIGHTS_SUPPLIER": "duffel",
    "DUFFEL_ACCESS_TOKEN": TOKEN,
    "SIMULATE_LIVE_KEYS": "true",
    "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
    "WEBHOOK_SWEEP_SECONDS": 1,
    "RECONCILIATION_SECONDS": 1,
    "RECOVERY_SECONDS": 1,
    "OPERATION_LEASE_SECONDS": 2,
    "IDEMPOTENCY_LEASE_SECONDS": 2,
    "SUPPLIER_CALL_SECONDS": 1,
    "LOOKUP_BACKOFF_SECONDS": "1,1,1,1,1",
    "REDIS_TIMEOUT_SECONDS": 2,
}


def test_a_supplier_and_receivers_that_hang_delay_nobody_else(
    tmp_path: Path, figure: Callable[[str], None]
) -> None:
    broker = PrivateRedis(tmp_path)
    try:
        with (
            own_database("network_worker") as database,
            receiving(lambda _: Reply(wait=60)) as hanging,
            receiving() as healthy,
            standing_in(DuffelStub()) as duffel,
        ):
            environment = {
                **SETTINGS,
                "DATABASE_URL": database,
                "REDIS_URL": broker.url,
                "DUFFEL_BASE_URL": duffel.url,
            }
            terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "100000000", "--live"]
            scopes = ["--scopes", ",".join(sorted(ENFORCED))]
            partner = json.loads(manage(environment, "create_partner", *terms, *scopes, "--json"))
            with (
                working(environment, tmp_path / "crew.log") as crew,
                serving(environment, workers=2, threads=8) as url,
            ):
                crew.set_beats(1)
                live, test = HttpApi(url, partner["liveKey"]), HttpApi(url, partner["testKey"])
                shop = FlightShop(live)
                bodies = [order_body(shop.offer()) for _ in range(LOST_ORDERS)]
                duffel.trouble("POST", paths.ORDERS, Trouble(end="reset", times=-1))
                duffel.trouble("GET", paths.ORDERS, Trouble(end="hang", times=-1))
                lost = [live.post("/v1/flights/orders", body) for body in bodies]
                assert {reply.error_type for reply in lost} == {
                    "upstream_unavailable"
                }  # the outcome is not known
                for _ in range(HANGING_ENDPOINTS):
                    subscribe(test, hanging.url)
                subscribe(test, healthy.url)

                wait_for(lambda: lookups(duffel) >= 2)
                booked: dict[str, float] = {}
                for _ in range(RIDES):
                    booked[book_a_ride(test)] = time.monotonic()
                    time.sleep(0.5)
                wait_for(lambda: len(healthy.requests) >= RIDES)
                waited = [
                    request.at - booked[request.json["data"]["bookingId"]] for request in healthy.requests
                ]
                settled = time.monotonic()
                wait_for(lambda: not test.get("/v1/account").body["balance"]["heldCents"])
                settled = time.monotonic() - settled
                assert hanging.requests
    finally:
        broker.kill()
    assert len(waited) == RIDES
    assert max(waited) < HEALTHY_SECONDS
    assert settled < SETTLED_SECONDS
    figure(
        f"W5: a supplier and 5 receivers hang: healthy {max(waited):.2f} s at most, settled {settled:.1f} s later"
    )


def lookups(duffel: DuffelStub) -> int:
    return sum((request.method, request.path) == ("GET", paths.ORDERS) for request in duffel.heard)


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def subscribe(api: HttpApi, url: str) -> None:
    made = api.post("/v1/webhooks/endpoints", {"url": url, "events": EVENTS})
    assert made.status == 201, made.body


def book_a_ride(api: HttpApi) -> str:
    found = api.post("/v1/transfers/searches", SEARCH)
    assert found.status == 201, found.body
    body = {"quoteId": found.body["offers"][0]["quoteId"], "leadPassenger": LEAD}
    reply = api.post("/v1/transfers/orders", body)
    assert reply.status == 201, reply.body
    return str(reply.body["id"])
