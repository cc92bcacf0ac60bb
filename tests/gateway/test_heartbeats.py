"""Signs of life, and for how long they are believed."""

import time
from collections.abc import Callable
from datetime import datetime
from types import SimpleNamespace

import pytest
from celery.utils.dispatch import Signal
from django.db import OperationalError, connection

from apps.common import clock, redis
from apps.gateway import heartbeats, probes
from apps.gateway.heartbeats import TASK, leave, leave_of_worker, part
from config.background import QUEUES


@pytest.fixture(autouse=True)
def nobody_lives() -> None:
    redis.run(lambda client: client.delete("heartbeat:worker", "heartbeat:beat"))


@pytest.mark.django_db
def test_whoever_left_none_is_away() -> None:
    assert part("worker")() == {"status": "unavailable", "secondsAgo": None}
    leave_of_worker("worker")
    assert part("worker")()["status"] == "ok"
    assert part("beat-of-nobody")()["status"] == "unavailable"


@pytest.mark.django_db
@pytest.mark.parametrize(("age", "status"), [(0.0, "ok"), (12.34, "ok"), (29.5, "ok"), (30.0, "unavailable")])
def test_a_sign_is_believed_for_half_a_minute(clock_stands_still: datetime, age: float, status: str) -> None:
    then = clock.now().timestamp() - age
    redis.run(lambda client: client.set("heartbeat:worker", then))
    assert part("worker")() == {"status": status, "secondsAgo": round(age, 1)}


@pytest.mark.django_db
def test_a_worker_whose_database_takes_no_statement_leaves_no_sign() -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    with connection.execute_wrapper(refuse), pytest.raises(OperationalError):
        leave_of_worker("worker")
    assert part("worker")()["status"] == "unavailable"
    leave_of_worker("worker")
    assert part("worker")()["status"] == "ok"


@pytest.mark.django_db
def test_a_sign_of_a_clock_ahead_of_ours_is_of_now() -> None:
    ahead = clock.now().timestamp() + 5
    redis.run(lambda client: client.set("heartbeat:worker", ahead))
    assert part("worker")() == {"status": "ok", "secondsAgo": 0.0}


@pytest.mark.django_db
def test_a_sign_goes_after_an_hour_by_itself() -> None:
    began = time.monotonic()
    leave("worker")
    left = redis.run(lambda client: client.pttl("heartbeat:worker"))
    passed = (time.monotonic() - began) * 1_000
    assert 3_600_000 - passed - 10 <= left <= 3_600_000


@pytest.fixture
def worker_is_ready(monkeypatch: pytest.MonkeyPatch) -> Signal:
    """What a worker says when it takes messages, heard by nobody but the heartbeats."""
    signal = Signal()
    monkeypatch.setattr(heartbeats, "worker_ready", signal)
    return signal


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, worker_is_ready: Signal) -> Signal:
    """What beat says when it publishes a task, heard by nobody but the heartbeats."""
    signal = Signal()
    monkeypatch.setattr(heartbeats, "before_task_publish", signal)
    monkeypatch.setattr(probes, "_parts", {})
    heartbeats.register()
    return signal


@pytest.mark.django_db
def test_whoever_publishes_the_heartbeat_and_no_other_task_is_beat(published: Signal) -> None:
    published.send(sender="another.task")
    assert part("beat")()["status"] == "unavailable"

    published.send(sender=TASK)
    assert part("beat")()["status"] == "ok"


def test_every_sign_is_a_part_of_the_full_probe(published: Signal) -> None:
    assert set(probes._parts) == {"worker", "supplierWorker", "longWorker", "dispatcher", "beat"}
    assert {read()["status"] for read in probes._parts.values()} <= {"ok", "unavailable"}


class Timer:
    """Of a worker's parent: what it was told to do again and again."""

    def __init__(self) -> None:
        self.told: list[tuple[float, Callable[..., None], tuple[str, ...]]] = []

    def call_repeatedly(self, seconds: float, call: Callable[..., None], given: tuple[str, ...]) -> None:
        self.told.append((seconds, call, given))


class Consumer:
    """Of a worker of this queue."""

    def __init__(self, queue: str) -> None:
        queues = SimpleNamespace(consume_from={queue: None})
        self.app = SimpleNamespace(amqp=SimpleNamespace(queues=queues))
        self.timer = Timer()


@pytest.mark.django_db
@pytest.mark.parametrize(("queue", "who"), [("long", "longWorker"), ("webhooks", "dispatcher")])
def test_the_parent_of_a_worker_that_may_be_busy_leaves_its_sign(
    queue: str, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "close", lambda: None)  # the test's own
    redis.run(lambda client: client.delete(f"heartbeat:{who}"))
    sender = Consumer(queue)
    heartbeats.ready(sender)
    assert part(who)()["status"] == "ok"
    [(seconds, call, given)] = sender.timer.told
    assert seconds < heartbeats.ALIVE_SECONDS / 2

    redis.run(lambda client: client.delete(f"heartbeat:{who}"))
    call(*given)
    assert part(who)()["status"] == "ok"


def test_the_parent_leaves_it_as_soon_as_its_worker_is_ready(
    worker_is_ready: Signal, published: Signal, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[str] = []
    monkeypatch.setattr(heartbeats, "leave_of_parent", left.append)
    worker_is_ready.send(sender=Consumer("long"))
    assert left == ["longWorker"]


@pytest.mark.parametrize("queue", ["celery", "suppliers"])
def test_that_of_another_worker_leaves_it_to_its_tasks(queue: str) -> None:
    sender = Consumer(queue)
    heartbeats.ready(sender)
    assert sender.timer.told == []


def test_every_queue_has_somebody_whose_sign_is_known() -> None:
    of_tasks = {"celery": "worker", "suppliers": "supplierWorker"}
    assert {*QUEUES, "celery"} == {*of_tasks, *heartbeats.OF_QUEUE}
    assert {*of_tasks.values(), *heartbeats.OF_QUEUE.values(), "beat"} == set(heartbeats.PROCESSES)


@pytest.mark.django_db
def test_a_parent_without_the_database_leaves_none_and_keeps_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    closed: list[bool] = []
    monkeypatch.setattr(connection, "close", lambda: closed.append(True))
    redis.run(lambda client: client.delete("heartbeat:longWorker"))
    with connection.execute_wrapper(refuse):
        heartbeats.leave_of_parent("longWorker")
    assert part("longWorker")()["status"] == "unavailable"
    assert closed == [True]
