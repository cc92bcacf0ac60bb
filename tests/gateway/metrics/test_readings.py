"""What /metrics tells of heartbeats, queues and periodic tasks."""

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from apps.common import metrics as readings
from apps.common import redis
from apps.common.metrics import Readings, known_readings
from apps.gateway import heartbeats
from apps.gateway.metrics import TEXTS, gateway, register
from apps.gateway.periodic import periodic_tasks
from tests.gateway.periodic.conftest import Run, run
from tests.support.private_redis import PrivateRedis

__all__ = ["run"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock_stands_still", "own_redis")]
PRUNE = "webhooks.prune"
HOURLY = "webhooks: prune"


@pytest.fixture
def own_redis(tmp_path: Path, settings: Any) -> Any:
    server = PrivateRedis(tmp_path)
    settings.REDIS_URL = settings.CELERY_BROKER_URL = server.url
    yield server
    server.kill()


def told(name: str) -> dict[str, float]:
    """By its label, or "" where there is none."""
    return {"".join(one.labels.values()): one.value for one in gateway() if one.name == name}


def test_each_heartbeat_is_told_by_its_age(move_clock: Callable[..., None]) -> None:
    heartbeats.leave("beat")
    move_clock(seconds=40)
    heartbeats.leave("worker")
    assert told("heartbeat_age_seconds") == {
        "worker": 0,
        "networkWorker": 3_600,
        "beat": 40,
    }


def test_the_messages_of_each_queue_are_counted() -> None:
    redis.run(lambda client: client.rpush("suppliers", "one", "two"))
    waiting = told("queue_messages")
    assert {"celery", "suppliers", "long", "webhooks"} <= set(waiting)
    assert {queue: count for queue, count in waiting.items() if count} == {"suppliers": 2}


class Quiet:
    """A Redis in which nothing is."""

    def __init__(self) -> None:
        self.asked = 0

    def pipeline(self, transaction: bool) -> "Quiet":
        return self

    def get(self, name: str) -> None:
        self.asked += 1

    llen = get

    def execute(self) -> list[int]:
        return [0] * self.asked


@pytest.mark.parametrize(
    ("broker", "ours", "counted"),
    [
        ("redis://a/0", "redis://a/0", True),
        ("redis://b/0", "redis://a/0", False),
        ("redis+socket:///run/a.sock", "unix:///run/a.sock", True),
    ],
)
def test_messages_are_counted_where_the_broker_is_our_redis(
    monkeypatch: pytest.MonkeyPatch, settings: Any, broker: str, ours: str, counted: bool
) -> None:
    settings.CELERY_BROKER_URL, settings.REDIS_URL = broker, ours
    monkeypatch.setattr(redis, "run", lambda work: work(Quiet()))
    before_tasks = takewhile(lambda one: one.name != "task_overdue_seconds", gateway())
    assert {one.name for one in before_tasks} == {
        "heartbeat_age_seconds",
        *(["queue_messages"] if counted else []),
    }


def test_each_task_is_told_by_its_last_success_and_how_late_it_is(
    run: Run, move_clock: Callable[..., None]
) -> None:
    run(PRUNE)
    move_clock(hours=1, minutes=10)
    assert set(told("task_overdue_seconds")) == {task.name for task in periodic_tasks().values()}
    assert told("task_last_success_seconds")[HOURLY] == 4_200
    assert (told("task_overdue_seconds")[HOURLY], told("task_in_trouble")[HOURLY]) == (600, False)
    for _ in range(2):
        run(PRUNE, fails=RuntimeError())
    assert (told("task_overdue_seconds")[HOURLY], told("task_in_trouble")[HOURLY]) == (0, True)
    assert told("task_last_success_seconds")[HOURLY] == 4_200


def test_the_last_success_counts_from_when_a_task_became_known_until_there_is_one(
    run: Run, move_clock: Callable[..., None]
) -> None:
    assert told("task_last_success_seconds")[HOURLY] == 0
    move_clock(minutes=5)
    assert told("task_last_success_seconds")[HOURLY] == 300
    run(PRUNE)
    assert told("task_last_success_seconds")[HOURLY] == 0


def test_they_are_told_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "_known", [])
    register()
    assert Readings(TEXTS, gateway) in known_readings()
