"""Who waits for whom while deliveries are sent: not for endpoints that hang, nor for another account's backlog."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import Settings

from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.services import shares
from apps.webhooks.services.claim import ROWS_PER_BATCH
from apps.webhooks.services.shares import THREADS_PER_PLACE
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Receiver, Reply, receiving
from tests.webhooks.conftest import Deliver, due_deliveries, statuses

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_hanging_endpoints_delay_nobody_else(deliver: Deliver, settings: Settings) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = 2.5
    with receiving(Reply(wait=30)) as hanging, receiving() as healthy:
        for _ in range(5):
            due_deliveries(EndpointFactory(url=hanging.url), 4)
        for _ in range(50):
            due_deliveries(EndpointFactory(url=healthy.url), 4)
        started = time.monotonic()
        deliver(seconds=1.0)
        waited = sorted(request.at - started for request in healthy.requests)
    assert len(waited) == 200
    assert waited[int(0.95 * len(waited))] < 2.0
    hung = Attempt.objects.exclude(status_code=200)
    assert {attempt.error for attempt in hung} == {"no answer within 2.5 s"}
    assert max(attempt.duration_ms for attempt in hung) < 3000
    assert hanging.most_in_flight <= 10  # two for each of the five


@pytest.mark.django_db(transaction=True)
def test_more_hanging_endpoints_than_places_delay_nobody_for_long(
    deliver: Deliver, settings: Settings
) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = 4
    settings.WEBHOOK_SENDER_THREADS = 4
    with receiving(Reply(wait=30)) as hanging, receiving() as healthy:
        for _ in range(8):
            DeliveryFactory(endpoint=EndpointFactory(url=hanging.url))
        DeliveryFactory.create_batch(8, endpoint=EndpointFactory(url=healthy.url))
        started = time.monotonic()
        deliver(seconds=3.5)
        assert max(request.at - started for request in healthy.requests) < 3.0
    assert statuses() == {"RETRYING": 8, "DELIVERED": 8}


def test_backlog_of_one_endpoint_does_not_starve_the_others(deliver: Deliver, settings: Settings) -> None:
    settings.WEBHOOK_SENDER_THREADS = 2
    with receiving(Reply(wait=0.002)) as busy, receiving() as quiet:
        for endpoint in EndpointFactory.create_batch(3, url=busy.url):
            due_deliveries(endpoint, 150)
        DeliveryFactory(endpoint=EndpointFactory(url=quiet.url))
        deliver()
        before = sum(request.at < quiet.requests[0].at for request in busy.requests)
    assert len(busy.requests) == 450
    assert before < 200


def endpoints_of_accounts(accounts: int, endpoints: int, **fields: Any) -> list[Endpoint]:
    """So many endpoints, spread over so many accounts."""
    owners = AccountFactory.create_batch(accounts)
    return [EndpointFactory(account=owners[number % accounts], **fields) for number in range(endpoints)]


def healthy_waits(deliver: Deliver, healthy: Receiver, seconds: float) -> list[float]:
    """Two deliveries to each of eight healthy endpoints of four accounts, and how long each waited."""
    for endpoint in endpoints_of_accounts(4, 8, url=healthy.url):
        due_deliveries(endpoint, 2)
    started, before = time.monotonic(), len(healthy.requests)
    deliver(seconds=seconds)
    waits = sorted(request.at - started for request in healthy.requests[before:])
    assert len(waits) == 16
    return waits


@pytest.mark.django_db(transaction=True)
def test_fifty_hanging_endpoints_of_three_accounts_delay_nobody_else(
    deliver: Deliver, settings: Settings, record_property: Callable[[str, object], None]
) -> None:
    """They come first in every round. Without shares they have every place until each of them is known to be stuck."""
    settings.WEBHOOK_TIMEOUT_SECONDS = 5
    with receiving(Reply(wait=30)) as hanging, receiving() as healthy:
        quiet = healthy_waits(deliver, healthy, 1.0)
        for endpoint in endpoints_of_accounts(3, 50, url=hanging.url):
            due_deliveries(endpoint, 2)
        waits = healthy_waits(deliver, healthy, 4.0)
        sent = hanging.most_in_flight
    record_property("quiet, with hanging ones", (quiet[-2], waits[-2]))
    assert waits[-2] < quiet[-2] + 0.8  # a place is stuck after a second: nobody waited for one
    assert 3 < sent <= 3 * 4 * THREADS_PER_PLACE  # a quarter of the threads for each


@pytest.mark.django_db(transaction=True)
def test_live_waits_for_no_test_endpoint_that_hangs(
    deliver: Deliver, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many test accounts hang as there are places, and keep them for longer than the test; the last eighth is live's."""
    monkeypatch.setattr(shares, "STUCK_SECONDS", 60.0)
    settings.WEBHOOK_TIMEOUT_SECONDS = 4
    with receiving(Reply(wait=30)) as hanging, receiving() as healthy:
        for endpoint in endpoints_of_accounts(20, 20, url=hanging.url):
            due_deliveries(endpoint, 1)
        [live] = endpoints_of_accounts(1, 1, url=healthy.url, environment="live")
        starting = threading.Timer(0.4, due_deliveries, (live, 4))
        starting.start()
        deliver(seconds=3.5)
        starting.join()
        began = Delivery.objects.filter(endpoint=live).earliest("created_at").created_at
        waited = [a.attempted_at - began for a in Attempt.objects.filter(delivery__endpoint=live)]
    assert len(waited) == 4
    assert max(waited) < timedelta(seconds=2)


def test_an_account_uses_no_more_than_its_share_and_serves_all_of_its_endpoints(
    deliver: Deliver, settings: Settings
) -> None:
    """Round and round: the first ones' backlog does not keep the others of the same account waiting."""
    settings.WEBHOOK_ACCOUNT_THREADS = 2
    with receiving(Reply(wait=0.002)) as receiver:
        endpoints = [
            EndpointFactory(id=f"we_{n}", url=f"{receiver.url}/{n}", account=account)
            for account in AccountFactory.create_batch(1)
            for n in range(6)
        ]
        for endpoint in endpoints:
            due_deliveries(endpoint, 3 * ROWS_PER_BATCH)
        deliver()
        paths = [request.path for request in receiver.requests]
        first = [paths.index(f"/hooks/{n}") for n in range(6)]
    assert receiver.most_in_flight == 2
    assert len(paths) == 6 * 3 * ROWS_PER_BATCH
    assert max(first) < 6 * ROWS_PER_BATCH
