"""Signs of life, and for how long they are believed."""

import time
from datetime import datetime

import pytest
from celery.utils.dispatch import Signal
from django.db import OperationalError, connection

from apps.common import clock, redis
from apps.gateway import heartbeats, probes
from apps.gateway.heartbeats import TASK, leave, leave_of_worker, part


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
def published(monkeypatch: pytest.MonkeyPatch) -> Signal:
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
    assert set(probes._parts) == {"worker", "supplierWorker", "beat"}
    assert {read()["status"] for read in probes._parts.values()} <= {"ok", "unavailable"}
