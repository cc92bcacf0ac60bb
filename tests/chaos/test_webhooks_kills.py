"""kill -9 around the commit of an event, and between the send of a webhook and its record (reliability W1, W2)."""

import os
import queue
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import connection, transaction

from apps.common import clock
from apps.webhooks.deliveries.claim import LEASE
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Attempt, Delivery, Event
from apps.webhooks.sender import Sender
from tests.chaos.beat import wait_until_none
from tests.chaos.forks import Forks, forking
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, emit
from tests.support.receiver import Received, Receiver, Reply, receiving

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TIMES = 20  # of each, for one of CHAOS_RUNS: 200 with the ten of `make chaos`
COMMIT_SECONDS = 0.001


@pytest.fixture
def times(chaos_runs: int) -> int:
    return TIMES * chaos_runs or 10


@pytest.fixture
def forks(transactional_db: None) -> Iterator[Forks]:
    with forking() as running:
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


def deliver_all() -> int:
    sender = Sender(allow_local=True)
    try:
        return Dispatcher(using=sender).run(seconds=120)
    finally:
        sender.close_idle(everything=True)


def ids_at(receiver: Receiver) -> Counter[str]:
    return Counter(request.headers["webhook-id"] for request in receiver.requests)


class RolledBack(Exception):
    """The fact was none in the end."""


def test_committed_events_reach_every_subscriber_and_rolled_back_ones_none(
    forks: Forks, times: int, receiver: Receiver, figure: Callable[[str], None]
) -> None:
    endpoints = [EndpointFactory(url=receiver.url)]
    account_id = endpoints[0].account_id
    endpoints.append(EndpointFactory(account_id=account_id, account=None, url=receiver.url))
    EndpointFactory(account_id=account_id, account=None, url=receiver.url, events=["esim.provisioned"])
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    moments = random.Random(seed)
    lines = [
        line
        for _ in range(times)
        for line in forks.run(f"emit {account_id} {moments.uniform(-COMMIT_SECONDS, COMMIT_SECONDS):.6f}")
    ]
    lines += [f"written {rolled_back(account_id)}" for _ in range(times)]
    written = {line.split()[1] for line in lines if line.startswith("written")}
    promised = {line.split()[1] for line in lines if line.startswith("committed")}
    wait_until_none(commits_under_way)
    kept = set(Event.objects.values_list("pk", flat=True))
    deliver_all()
    assert len(written) == 2 * times
    assert promised <= kept < written
    assert ids_at(receiver) == dict.fromkeys(kept, 2)
    assert Delivery.objects.filter(status="DELIVERED").count() == Delivery.objects.count() == 2 * len(kept)
    figure(
        f"W1: {times} kills around a commit ({len(kept)} committed), {times} rollbacks: 0 missing, 0 phantom"
    )


def commits_under_way() -> int:
    """PostgreSQL ends what it was told to commit, whatever became of who told it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
        )
        (count,) = cursor.fetchone()
    return int(count)


def rolled_back(account_id: str) -> str:
    try:
        with transaction.atomic():
            event_id = emit(account_id=account_id, environment="test", type="booking.confirmed", data={})
            raise RolledBack
    except RolledBack:
        return event_id


def test_killed_between_send_and_record_nothing_is_lost_and_no_kill_makes_two_duplicates(
    forks: Forks,
    times: int,
    receiver: Receiver,
    move_clock: Callable[..., None],
    figure: Callable[[str], None],
) -> None:
    sending: queue.SimpleQueue[int] = queue.SimpleQueue()

    def accept_and_kill(_: Received) -> Reply:
        os.kill(sending.get(timeout=60), signal.SIGKILL)
        return Reply()

    receiver.answer = accept_and_kill
    for _ in range(times):
        a_while_ago = clock.now() - timedelta(
            minutes=1
        )  # a child reads the clock for itself, and it is due for it, too
        # A dead lease keeps its batch for 30 s: each child has an endpoint of its own.
        DeliveryFactory(endpoint=EndpointFactory(url=receiver.url), next_attempt_at=a_while_ago)
        forks.run("deliver", born=sending.put)
    assert (len(receiver.requests), Attempt.objects.count()) == (times, 0)

    receiver.answer = Reply()
    move_clock(seconds=LEASE.total_seconds() + 1)
    deliver_all()
    received = ids_at(receiver)
    assert set(received) == set(Event.objects.values_list("pk", flat=True))
    duplicates = sum(received.values()) - len(received)
    assert duplicates <= times
    assert set(Delivery.objects.values_list("status", "attempt_count", "lost_count")) == {("DELIVERED", 1, 1)}
    assert Attempt.objects.filter(counted=True).count() == times
    figure(f"W2: {times} kills between send and record: 0 lost, {duplicates} duplicates")
