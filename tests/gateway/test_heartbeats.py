"""Signs of life, and for how long they are believed."""

from datetime import datetime

import pytest
from celery.utils.dispatch import Signal
from django.db import OperationalError, connection

from apps.common import clock, redis
from apps.gateway import heartbeats, probes
from apps.gateway.heartbeats import BEAT_TASK, leave, leave_for_worker, part


@pytest.fixture(autouse=True)
def nobody_lives() -> None:
    redis.run(lambda client: client.delete("heartbeat:worker", "heartbeat:networkWorker", "heartbeat:beat"))


def test_a_process_without_a_heartbeat_is_unavailable() -> None:
    assert part("worker")() == {"status": "unavailable", "secondsAgo": None}
    leave("worker")
    assert part("worker")()["status"] == "ok"
    assert part("beat")()["status"] == "unavailable"


@pytest.mark.django_db
@pytest.mark.parametrize(("age", "status"), [(0.0, "ok"), (12.34, "ok"), (29.5, "ok"), (30.0, "unavailable")])
def test_a_sign_is_believed_for_half_a_minute(clock_stands_still: datetime, age: float, status: str) -> None:
    then = clock.now().timestamp() - age
    redis.run(lambda client: client.set("heartbeat:worker", then))
    assert part("worker")() == {"status": status, "secondsAgo": round(age, 1)}


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

    published.send(sender=BEAT_TASK)
    assert part("beat")()["status"] == "ok"


@pytest.mark.django_db
def test_a_worker_without_the_database_leaves_none_and_keeps_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    closed: list[bool] = []
    monkeypatch.setattr(connection, "close", lambda: closed.append(True))
    with connection.execute_wrapper(refuse):
        leave_for_worker("networkWorker")
    assert part("networkWorker")()["status"] == "unavailable"
    assert closed == [True]
