"""One booking is one trace, from the call to the webhook delivery and the settlement, through all processes of the service."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from apps.keys.scopes import ENFORCED
from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.support.api import Reply as Answer
from tests.support.collector import Collector, Got, collecting
from tests.support.crew import working
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop, order_body
from tests.support.own_service import own_database
from tests.support.private_redis import PrivateRedis
from tests.support.receiver import Receiver, receiving
from tests.support.stack import HttpApi, manage, serving
from tests.support.supplier_stub import serving as standing_in
from tests.transfers.agency import LEAD

pytestmark = pytest.mark.slow

CALLER = "00f067aa0ba902b7"
EVENTS = ["booking.confirmed"]
QUICK = {
    "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
    "WEBHOOK_SWEEP_SECONDS": 1,
    "RECONCILIATION_SECONDS": 1,
    "WORKER_PROCESSES": 1,
    "REDIS_TIMEOUT_SECONDS": 2,
    "DATABASE_STATEMENT_TIMEOUT_MS": 60_000,
    "OTEL_TRACES_SAMPLER": "parentbased_always_off",  # nothing but what the caller records
}


@dataclass
class Running:
    flights: FlightShop
    """With a live key: its supplier is a real HTTP server, the stand-in for Duffel."""
    transfers: HttpApi
    collector: Collector
    receiver: Receiver
    duffel: DuffelStub
    secrets: list[str]

    def trace(self, trace_id: str, *names: str) -> list[Got]:
        """The spans of a trace, once those of these names are there."""

        def mine(spans: list[Got]) -> list[Got]:
            return [span for span in spans if span.trace == trace_id]

        return mine(self.collector.wait_for(lambda spans: {span.name for span in mine(spans)} >= set(names)))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """All processes of production, each sending its spans."""
    directory = tmp_path_factory.mktemp("traced")
    broker = PrivateRedis(directory)
    try:
        with (
            own_database("traced") as database,
            collecting() as collector,
            receiving() as receiver,
            standing_in(DuffelStub()) as duffel,
        ):
            environment = {
                **QUICK,
                **collector.environment,
                "DATABASE_URL": database,
                "REDIS_URL": broker.url,
                "FLIGHTS_SUPPLIER": "duffel",
                "DUFFEL_ACCESS_TOKEN": TOKEN,
                "DUFFEL_BASE_URL": duffel.url,
            }
            scopes = ["--scopes", ",".join(sorted(ENFORCED))]
            terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "100000000", *scopes, "--live"]
            partner = json.loads(manage(environment, "create_partner", *terms, "--json"))
            with working(environment, directory / "crew.log") as crew:
                crew.set_beats(1)
                with serving(environment, workers=2, threads=4) as url:
                    live, test = HttpApi(url, partner["liveKey"]), HttpApi(url, partner["testKey"])
                    for api in (live, test):
                        made = api.post("/v1/webhooks/endpoints", {"url": receiver.url, "events": EVENTS})
                        assert made.status == 201, made.body
                    yield Running(
                        FlightShop(live), test, collector, receiver, duffel, [live.secret, test.secret]
                    )
    finally:
        broker.kill()


def order(running: Running, trace_id: str, key: str | None = None) -> Answer:
    """An order of a flight whose caller records a trace."""
    body = order_body(running.flights.offer(), externalReference=f"ref-{trace_id[:8]}")
    return running.flights.api.post("/v1/flights/orders", body, key, traceparent=f"00-{trace_id}-{CALLER}-01")


def test_one_booking_is_one_trace_from_the_call_to_the_delivery(running: Running) -> None:
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    reply = order(running, trace_id)
    assert reply.status == 201, reply.body
    spans = running.trace(trace_id, "createFlightOrder", "webhook delivery")
    one = {span.name: span for span in spans}
    call, delivery, booked = one["createFlightOrder"], one["webhook delivery"], one["supplier book"]
    assert (call.parent, delivery.parent, booked.parent) == (CALLER, call.id, call.id)
    assert one["duffel POST"].parent in {span.id for span in spans if span.name.startswith("supplier ")}
    assert call.process != delivery.process
    assert {span.service for span in spans} == {"travel-partner-api"}
    assert {span.attributes["db.system"] for span in spans if "db.system" in span.attributes} == {
        "postgresql",
        "redis",
    }
    assert call.attributes["travel_partner.request_id"] == reply.headers["X-Request-Id"]
    assert call.attributes["travel_partner.booking_id"] == reply.body["id"]
    asked = [request.headers for request in running.receiver.requests]
    asked += [request.headers for request in running.duffel.heard]
    assert asked
    assert not [sent for sent in asked if {"traceparent", "tracestate"} & {name.lower() for name in sent}]


def test_no_traveller_and_no_secret_is_in_a_span(running: Running) -> None:
    trace_id = "9bf92f3577b34da6a3ce929d0e0e4736"
    reply = order(running, trace_id)
    assert reply.status == 201, reply.body
    assert running.trace(trace_id, "webhook delivery")
    sent = b"".join(request.body for request in running.collector.receiver.requests)
    assert bytes.fromhex(trace_id) in sent
    told = sent.lower()
    travellers = [*PASSENGER.values(), *CONTACT.values(), *LEAD.values()]
    canaries = {word.lower().encode() for word in (*travellers, *running.secrets, TOKEN) if len(word) > 4}
    assert len(canaries) > 6
    assert not {word for word in canaries if word in told}
