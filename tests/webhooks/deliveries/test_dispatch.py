"""The dispatcher from a due delivery to its recorded result."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from itertools import pairwise

import pytest
import standardwebhooks
import stripe
from django.db import connection
from pytest_django import Settings

from apps.common import clock, redis
from apps.webhooks import selectors, wakeups
from apps.webhooks.deliveries.claim import ROWS_PER_BATCH
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.services.endpoints import rotate_secret
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.locks import locked
from tests.support.receiver import Received, Receiver, Reply, receiving
from tests.webhooks.conftest import Deliver, due_deliveries, statuses

pytestmark = pytest.mark.django_db

LADDER = [60, 300, 1800, 7200, 21600, 86400]


def test_every_due_delivery_is_sent_once(endpoint: Endpoint, receiver: Receiver, deliver: Deliver) -> None:
    due = due_deliveries(endpoint, 60)
    assert deliver() == 60
    assert statuses() == {"DELIVERED": 60}
    assert sorted(request.headers["webhook-id"] for request in receiver.requests) == sorted(
        d.event_id for d in due
    )
    assert receiver.most_in_flight <= 2
    assert receiver.connections <= 2


def test_stored_payload_is_sent_byte_for_byte(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    payload = '{"b":1,  "a":"Zoë\\u0000 \U0001f30d"}'
    DeliveryFactory(endpoint=endpoint, event__payload=payload)
    deliver()
    assert receiver.requests[0].body == payload.encode()


def test_ready_made_verifiers_accept_before_during_and_after_a_rotation(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, move_clock: Callable[..., None]
) -> None:
    def verified_by(secret: str) -> bool:
        received = receiver.requests[-1]
        standardwebhooks.Webhook(secret)
        try:
            stripe.WebhookSignature.verify_header(
                received.body.decode(), received.headers["X-Service-Signature"], secret, tolerance=None
            )
        except stripe.SignatureVerificationError:
            return False
        return True

    def next_delivery() -> str:
        DeliveryFactory(endpoint=endpoint)
        deliver()
        return receiver.requests[-1].headers["X-Service-Signature"]

    first = endpoint.secret
    assert (next_delivery().count("v1="), verified_by(first)) == (1, True)
    _, second = rotate_secret(endpoint=endpoint)
    assert (next_delivery().count("v1="), verified_by(first), verified_by(second)) == (2, True, True)
    standardwebhooks.Webhook(first).verify(receiver.requests[-1].body, receiver.requests[-1].headers)
    standardwebhooks.Webhook(second).verify(receiver.requests[-1].body, receiver.requests[-1].headers)
    move_clock(hours=24, seconds=1)
    assert (next_delivery().count("v1="), verified_by(first), verified_by(second)) == (1, False, True)
    _, third = rotate_secret(endpoint=endpoint, immediate=True)
    assert (next_delivery().count("v1="), verified_by(second), verified_by(third)) == (1, False, True)


def test_ladder_is_climbed_on_time_and_ends_exhausted(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver, stopped_clock: Callable[..., None]
) -> None:
    receiver.answer = Reply(status=500)
    due_deliveries(endpoint, 5)
    assert deliver() == 5
    for delay in LADDER:
        stopped_clock(seconds=delay - 0.001)
        assert deliver() == 0
        stopped_clock(seconds=0.001)
        assert deliver() == 5
    stopped_clock(days=3)
    assert deliver() == 0
    assert statuses() == {"EXHAUSTED": 5}
    for delivery in Delivery.objects.all():
        times = [attempt.attempted_at for attempt in selectors.attempts_of(delivery)]
        assert [(after - before).total_seconds() for before, after in pairwise(times)] == LADDER
    signed_at = [request.headers["webhook-timestamp"] for request in receiver.requests]
    assert len(set(signed_at)) == 7  # a fresh signature for every attempt


def test_tenth_failure_stops_everything(endpoint: Endpoint, receiver: Receiver, deliver: Deliver) -> None:
    receiver.answer = Reply(status=410)
    due_deliveries(endpoint, 40)
    deliver()
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.consecutive_failures) == ("disabled", 10)
    sent = len(receiver.requests)
    assert 10 <= sent <= 11  # the second in flight had left before the tenth was recorded
    assert statuses() == {"FAILED": sent, "PENDING": 40 - sent}
    assert deliver() == 0


@pytest.mark.django_db(transaction=True)
def test_two_dispatchers_send_each_delivery_once(deliver: Deliver) -> None:
    with receiving(Reply(wait=0.001)) as receiver:
        a_while_ago = clock.now() - timedelta(
            minutes=1
        )  # each thread reads the clock for itself, and it is due for all
        for endpoint in EndpointFactory.create_batch(6, url=receiver.url):
            due_deliveries(endpoint, 40, next_attempt_at=a_while_ago)
        made: list[int] = []

        def run() -> None:
            made.append(deliver())
            connection.close()

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ids = [request.headers["webhook-id"] for request in receiver.requests]
        assert receiver.most_in_flight <= 12
    assert (sum(made), len(ids), len(set(ids))) == (240, 240, 240)
    assert statuses() == {"DELIVERED": 240}


def test_retry_leaves_on_its_second_while_a_sweep_lingers(
    endpoint: Endpoint, deliver: Deliver, waits: list[float]
) -> None:
    due_at = clock.now() + timedelta(seconds=1)
    DeliveryFactory(endpoint=endpoint, next_attempt_at=due_at)
    assert (deliver(), waits) == (0, [])
    assert deliver(linger=3.0) == 1
    assert Attempt.objects.get().attempted_at == due_at


def test_stopped_dispatcher_finishes_what_is_under_way(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    """It is told to stop while the first is under way, and has two batches by then at most."""
    stop = threading.Event()

    def answer(_: object) -> Reply:
        stop.set()
        return Reply()

    receiver.answer = answer
    due_deliveries(endpoint, 2 * ROWS_PER_BATCH + 5)
    made = deliver(stopping=stop.is_set)
    assert made == len(receiver.requests) == statuses()["DELIVERED"] > 0
    assert statuses()["PENDING"] >= 5
    assert not Delivery.objects.filter(lease_token__isnull=False).exists()


@pytest.mark.django_db(transaction=True)
def test_results_survive_a_database_that_is_away_for_a_moment(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    """The receiver's request is under way while every other connection is cut."""

    def cut_connections(_: object) -> Reply:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
            )
        connection.close()
        return Reply()

    receiver.answer = cut_connections
    DeliveryFactory(endpoint=endpoint)
    assert deliver() == 1
    assert (statuses(), len(receiver.requests)) == ({"DELIVERED": 1}, 1)


def test_run_out_of_time_wakes_the_next(endpoint: Endpoint, deliver: Deliver) -> None:
    due_deliveries(endpoint, 1)
    assert deliver(seconds=0.0) == 0
    assert redis.run(lambda client: client.get(wakeups.KEY)) == b"notified"
    assert redis.run(lambda client: client.llen("webhooks")) == 1


FORBIDDEN = [
    "http://127.0.0.1:{port}/",
    "https://127.0.0.1:{port}/",
    "https://[::ffff:127.0.0.1]:{port}/",
    "https://169.254.169.254/latest/meta-data/",
    "https://user@127.0.0.1:{port}/",
    "https://127.0.0.1.nip.example@localhost:{port}/",
]


def test_stored_url_that_is_not_public_gets_no_packet(receiver: Receiver, settings: Settings) -> None:
    """However it came into the table: the engine itself, as configured in production."""
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
    for url in FORBIDDEN:
        DeliveryFactory(endpoint=EndpointFactory(url=url.format(port=receiver.port)))
    assert Dispatcher().run() == len(FORBIDDEN)
    assert receiver.connections == 0
    assert statuses() == {"RETRYING": len(FORBIDDEN)}
    assert set(Attempt.objects.values_list("error_code", flat=True)) <= {"url_refused", "address_not_public"}


@pytest.mark.django_db(transaction=True)
def test_a_locked_endpoint_keeps_nobody_elses_deliveries_waiting(
    endpoint: Endpoint, receiver: Receiver, deliver: Deliver
) -> None:
    """Its own result is recorded once it is free again, under the same lease."""
    other, held = EndpointFactory(url=f"{receiver.url}/other"), ExitStack()
    first, second, third = EventFactory.create_batch(3, account=other.account)

    def answer(received: Received) -> Reply:
        try:
            if not received.path.endswith("other"):
                held.enter_context(locked(Endpoint.objects.filter(pk=endpoint.pk), "NO KEY UPDATE"))
                DeliveryFactory(endpoint=other, event=first)
            elif received.headers["webhook-id"] == first.pk:
                DeliveryFactory(endpoint=other, event=second)
            elif received.headers["webhook-id"] == second.pk:
                ends_at = time.monotonic() + 20
                while statuses().get("DELIVERED") != 1 and time.monotonic() < ends_at:
                    receiver.pause(0.01)
                assert Delivery.objects.get(event=first).status == "DELIVERED"
                DeliveryFactory(endpoint=other, event=third)
            else:
                assert Delivery.objects.get(endpoint=endpoint).status == "PENDING"
                held.close()
        finally:
            connection.close()
        return Reply()

    receiver.answer = answer
    DeliveryFactory(endpoint=endpoint)
    assert deliver() == 4
    assert (statuses(), len(receiver.requests)) == ({"DELIVERED": 4}, 4)
