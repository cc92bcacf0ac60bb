"""One booking is one trace, from the call to the webhook delivery and the settlement, through all processes of the service."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from apps.keys.scopes import ENFORCED
from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.gateway.metrics.test_calls import told as figures_of
from tests.gateway.metrics.test_views import TOKEN as TOKEN_OF_METRICS
from tests.support.api import Reply as Answer
from tests.support.collector import Collector, Got, collecting
from tests.support.crew import working
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop, order_body
from tests.support.own_service import own_database
from tests.support.private_redis import PrivateRedis
from tests.support.receiver import Receiver, Reply, receiving
from tests.support.stack import HttpApi, manage, serving
from tests.support.supplier_stub import serving as standing_in
from tests.transfers.agency import LEAD, SEARCH

pytestmark = pytest.mark.stack

CALLER = "00f067aa0ba902b7"
EVENTS = ["booking.confirmed"]
QUICK = {
    "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
    "WEBHOOK_SWEEP_SECONDS": 1,
    "RECONCILIATION_SECONDS": 1,
    "WORKER_PROCESSES": 1,
    "SUPPLIER_PROCESSES": 1,
    "LONG_PROCESSES": 1,
    "DISPATCHER_PROCESSES": 1,
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
                crew.add_dispatcher()
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


def parents(spans: list[Got]) -> dict[str, set[str]]:
    """The names of spans, each with those of the spans that it is a part of."""
    names = {span.id: span.name for span in spans} | {CALLER: "the caller's"}
    found: dict[str, set[str]] = {}
    for span in spans:
        found.setdefault(span.name, set()).add(names[span.parent])
    return found


def test_one_booking_is_one_trace_from_the_call_to_the_delivery(running: Running) -> None:
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    reply = order(running, trace_id)
    assert reply.status == 201, reply.body
    spans = running.trace(trace_id, "createFlightOrder", "webhook delivery")
    found = parents(spans)
    assert found["createFlightOrder"] == {"the caller's"}
    assert found["gate"] == {"createFlightOrder"}
    assert found["redis"] == {"gate", "createFlightOrder"}  # the key's window; the wake-up of a dispatcher
    assert found["INSERT gateway_idempotencyrecord"] == {"gate"}
    reserved, marked, ended = (
        next(name for name in found if what in name)
        for what in ("INSERT bookings_operation", "UPDATE bookings_operation", "INSERT webhooks_event")
    )
    assert {*found[reserved], *found[marked], *found[ended]} == {"createFlightOrder"}
    assert len({reserved, marked, ended}) == 3
    assert found["supplier book"] == {"createFlightOrder"}
    assert "POST /air/orders" in found
    assert found["POST /air/orders"] == {"supplier book"}
    assert found["webhook delivery"] == {"createFlightOrder"}
    one = {span.name: span for span in spans}
    call, delivery = one["createFlightOrder"], one["webhook delivery"]
    assert call.process != delivery.process
    assert {span.service for span in spans} == {"travel-partner-api"}
    assert call.attributes["travel_partner.request_id"] == reply.headers["X-Request-Id"]
    assert call.attributes["travel_partner.account_id"].startswith("acc_")
    assert call.attributes["travel_partner.booking_id"] == reply.body["id"]
    assert call.attributes["http.response.status_code"] == 201
    assert one["POST /air/orders"].attributes["http.response.status_code"] == 201
    assert delivery.attributes["http.response.status_code"] == 200
    assert not any(span.failed for span in spans)


def test_nobody_outside_is_told_of_the_trace(running: Running) -> None:
    trace_id = "5bf92f3577b34da6a3ce929d0e0e4736"
    assert order(running, trace_id).status == 201
    running.trace(trace_id, "webhook delivery")
    assert running.receiver.requests
    assert running.duffel.heard
    asked = [request.headers for request in running.receiver.requests]
    asked += [request.headers for request in running.duffel.heard]
    assert not [
        headers for headers in asked if {"traceparent", "tracestate"} & {name.lower() for name in headers}
    ]


def test_the_settlement_is_a_part_of_the_call_that_owes_it(running: Running) -> None:
    trace_id = "6bf92f3577b34da6a3ce929d0e0e4736"
    found = running.transfers.post("/v1/transfers/searches", SEARCH)
    assert found.status == 201, found.body
    body = {"quoteId": found.body["offers"][0]["quoteId"], "leadPassenger": LEAD}
    reply = running.transfers.post("/v1/transfers/orders", body, traceparent=f"00-{trace_id}-{CALLER}-01")
    assert reply.status == 201, reply.body
    spans = running.trace(trace_id, "createTransferOrder", "webhook delivery", "settlement")
    assert parents(spans)["settlement"] == {"createTransferOrder"}
    (settlement,) = [span for span in spans if span.name == "settlement"]
    assert settlement.attributes["travel_partner.booking_id"] == reply.body["id"]
    assert {"COMMIT"} <= {span.name for span in spans if span.parent == settlement.id}


def test_a_retry_of_another_trace_is_linked_to_the_first_call(running: Running) -> None:
    first, second = "7bf92f3577b34da6a3ce929d0e0e4736", "8bf92f3577b34da6a3ce929d0e0e4736"
    body = order_body(running.flights.offer())
    for trace_id in (first, second):
        parent = f"00-{trace_id}-{CALLER}-01"
        assert (
            running.flights.api.post("/v1/flights/orders", body, "a-key-of-mine", traceparent=parent).status
            == 201
        )
    (call,) = [span for span in running.trace(first, "createFlightOrder") if span.parent == CALLER]
    (retry,) = [span for span in running.trace(second, "createFlightOrder") if span.parent == CALLER]
    assert retry.attributes["travel_partner.replayed"] is True
    (gate,) = [span for span in running.trace(second, "gate") if span.name == "gate"]
    assert [link[0] for link in gate.links] == [call.trace]


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


def test_what_the_caller_does_not_record_is_not_recorded(running: Running) -> None:
    unrecorded = "abf92f3577b34da6a3ce929d0e0e4736"
    reply = running.flights.api.get("/v1/account", traceparent=f"00-{unrecorded}-{CALLER}-00")
    assert reply.status == 200
    recorded = "bbf92f3577b34da6a3ce929d0e0e4736"
    for _ in range(4):
        running.flights.api.get("/v1/account", traceparent=f"00-{recorded}-{CALLER}-01")
    running.trace(recorded, "getAccount")
    assert unrecorded not in {span.trace for span in running.collector.spans}


def test_a_collector_that_hangs_slows_no_call_and_what_is_dropped_is_counted(tmp_path: Path) -> None:
    hanging = Reply(wait=600)
    with own_database("untraced") as database, collecting(hanging) as collector:
        environment = {
            **collector.environment,
            "DATABASE_URL": database,
            "METRICS_TOKEN": TOKEN_OF_METRICS,
            "METRICS_DIRECTORY": tmp_path,
            "OTEL_TRACES_SAMPLER": "always_on",
            "OTEL_BSP_MAX_QUEUE_SIZE": 8,
            "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": 4,
        }
        terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "100000000", "--json"]
        partner = json.loads(manage(environment, "create_partner", *terms))
        with serving(environment, workers=1, threads=2) as url:
            api = HttpApi(url, partner["testKey"])
            answers = [api.get("/v1/account") for _ in range(10)]
            assert [answer.status for answer in answers] == [200] * 10, answers[0].body
            assert len(collector.receiver.requests) == 1
            counted = figures_of(url)
        # The server has stopped: it waited for the collector no longer than its bound.
    dropped = counted["travel_partner_trace_spans_total", frozenset({("outcome", "dropped")})]
    assert dropped >= 10
