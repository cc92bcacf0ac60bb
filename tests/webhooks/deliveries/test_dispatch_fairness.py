"""No partner waits for another partner's receivers."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from pytest_django import Settings

from apps.common import clock
from apps.webhooks.deliveries.claim import ROWS_PER_BATCH, Batch
from apps.webhooks.deliveries.dispatch import STUCK_SECONDS, Shares
from apps.webhooks.models import Attempt, Delivery, Endpoint
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Received, Receiver, Reply, receiving
from tests.webhooks.conftest import Deliver, due_deliveries, statuses
from tests.webhooks.deliveries.batches import batches as begun_batches

pytestmark = pytest.mark.django_db

LONGEST_SECONDS = 25.0
"""Of an attempt: below its lease."""


@pytest.fixture(autouse=True)
def _patient(settings: Settings) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = LONGEST_SECONDS


@contextmanager
def beside_one_that_hangs(requests: int) -> Iterator[tuple[Receiver, Receiver]]:
    """A receiver that answers nobody before another one had so many requests, and that other one.

    Who waits for the first one's answer before the second is served waits until its time is over.
    """
    over = threading.Event()

    def hang(_: Received) -> Reply:
        over.wait(LONGEST_SECONDS)
        return Reply()

    def answer(_: Received) -> Reply:
        if len(healthy.requests) >= requests:
            over.set()
        return Reply()

    with receiving(hang) as hanging, receiving(answer) as healthy:
        yield hanging, healthy


def all_were_accepted_at_once(count: int) -> bool:
    """Nobody hung until the time was over."""
    return (statuses(), Attempt.objects.count()) == ({"DELIVERED": count}, count)


@pytest.mark.django_db(transaction=True)
def test_hanging_endpoints_delay_nobody_else(deliver: Deliver) -> None:
    with beside_one_that_hangs(requests=200) as (hanging, healthy):
        for _ in range(5):
            due_deliveries(EndpointFactory(url=hanging.url), 4)
        for _ in range(50):
            due_deliveries(EndpointFactory(url=healthy.url), 4)
        deliver()
    assert all_were_accepted_at_once(220)
    assert hanging.most_in_flight <= 10  # two for each of the five


@pytest.mark.django_db(transaction=True)
def test_more_hanging_endpoints_than_places_delay_nobody_for_more_than_a_second(
    deliver: Deliver, settings: Settings, stopped_clock: Callable[..., None]
) -> None:
    """Each time they have all the places, it takes a second until their batches are known to be stuck."""
    settings.WEBHOOK_SENDER_THREADS = 4
    with beside_one_that_hangs(requests=8) as (hanging, healthy):
        hang, numbers, began = hanging.answer, count(1), clock.now()

        def hang_for_a_second(received: Received) -> Reply:
            if next(numbers) % 4 == 0:
                stopped_clock(seconds=1)
            return hang(received)

        hanging.answer = hang_for_a_second
        for number in range(8):
            DeliveryFactory(endpoint=EndpointFactory(id=f"we_00{number}", url=hanging.url))
        DeliveryFactory.create_batch(8, endpoint=EndpointFactory(url=healthy.url))
        deliver()
    assert all_were_accepted_at_once(16)
    assert clock.now() - began == timedelta(seconds=2)


def endpoints_of_accounts(
    accounts: int, endpoints: int, *, prefix: str = "we_1", **fields: Any
) -> list[Endpoint]:
    """So many endpoints, spread over so many accounts; those of the lowest prefix come first."""
    owners = AccountFactory.create_batch(accounts)
    return [
        EndpointFactory(id=f"{prefix}{number:02}", account=owners[number % accounts], **fields)
        for number in range(endpoints)
    ]


@pytest.mark.django_db(transaction=True)
def test_fifty_hanging_endpoints_of_three_accounts_delay_nobody_else(
    deliver: Deliver, stopped_clock: Callable[..., None]
) -> None:
    """They come first in every round, and as time stands still none of them is ever known to be stuck."""
    with beside_one_that_hangs(requests=16) as (hanging, healthy):
        for endpoint in endpoints_of_accounts(3, 50, prefix="we_00", url=hanging.url):
            due_deliveries(endpoint, 2)
        for endpoint in endpoints_of_accounts(4, 8, url=healthy.url):
            due_deliveries(endpoint, 2)
        deliver()
        assert hanging.most_in_flight == 12  # three quarters of the places
    assert all_were_accepted_at_once(116)


@pytest.mark.django_db(transaction=True)
def test_live_waits_for_no_test_endpoint_that_hangs(
    deliver: Deliver, stopped_clock: Callable[..., None]
) -> None:
    """As many test accounts hang as there are places, and time stands still; the last eighth is live's."""
    with beside_one_that_hangs(requests=4) as (hanging, healthy):
        for endpoint in endpoints_of_accounts(20, 20, url=hanging.url):
            due_deliveries(endpoint, 1)
        live = EndpointFactory(url=healthy.url, environment="live")

        def emit_once_test_has_its_places() -> bool:
            if hanging.in_flight == 14 and not Delivery.objects.filter(endpoint=live).exists():
                due_deliveries(live, 4)
            return False

        deliver(stopping=emit_once_test_has_its_places)
    assert all_were_accepted_at_once(24)


def test_an_account_uses_no_more_than_its_share_and_serves_all_of_its_endpoints(
    deliver: Deliver, settings: Settings, stopped_clock: Callable[..., None]
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


PLACES, OF_ACCOUNT = 16, 12
NOW = 1000.0


@pytest.fixture(autouse=True)
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is young until it is exactly as old as a stuck one."""
    monkeypatch.setattr("apps.webhooks.deliveries.claim.monotonic", lambda: NOW)


def batches(account_id: str, count: int, *, stuck: bool = False) -> list[Batch]:
    return begun_batches(account_id, count, begun=NOW - STUCK_SECONDS if stuck else NOW)


@pytest.fixture
def shares(db: None) -> Shares:
    return Shares(PLACES, OF_ACCOUNT)


@pytest.mark.parametrize(
    ("young", "stuck", "room"),
    [
        (0, 0, 12),
        (11, 0, 1),
        (12, 0, 0),
        (0, 1, 3),  # once they are known to be slow
        (0, 3, 3),
        (0, 4, 2),
        (1, 4, 1),
        (0, 9, 1),
        (1, 9, 0),
        (0, 31, 1),
        (0, 32, 0),  # a quarter of the threads
        (4, 9, 0),  # more than it may have since the others are stuck
    ],
)
def test_an_account_has_a_share_that_shrinks_with_what_is_stuck(
    shares: Shares, young: int, stuck: int, room: int
) -> None:
    shares.begin([*batches("acc_1", young), *batches("acc_1", stuck, stuck=True)])
    common = PLACES - young - PLACES // 4
    assert (shares.capacity("acc_1"), shares.capacity("acc_2")) == (room, max(1, common))
    claims = shares.claim_filter("test")
    assert (claims.environments, claims.full) == (["test"], [] if room else ["acc_1"])
    assert (claims.capacity("acc_1", Counter()), claims.capacity("acc_2", Counter())) == (
        room,
        max(1, common),
    )


@pytest.mark.parametrize(
    ("young", "stuck", "live", "test"),
    [
        (0, 0, 16, 14),
        (14, 0, 2, 0),
        (16, 0, 0, -2),
        (0, 100, 16, 12),
        (0, 112, 16, 0),
        (3, 120, 5, -11),
    ],
)
def test_live_has_the_last_eighth_to_itself(
    shares: Shares, young: int, stuck: int, live: int, test: int
) -> None:
    shares.begin([*batches("acc_1", young), *batches("acc_2", stuck, stuck=True)])
    assert (shares.free("live"), shares.free("test")) == (live, test)


def test_endpoints_of_a_full_account_take_turns(shares: Shares) -> None:
    first = batches("acc_1", 12)
    shares.begin(first)
    assert shares.note_turns(first) is False
    assert sorted(shares.claim_filter("test").passed_over) == sorted(f"we_{n}" for n in range(12))
    shares.end(first[0])
    assert shares.note_turns([]) is True  # nothing else of the account is due: from the beginning again
    assert shares.claim_filter("test").passed_over == []
