"""What /metrics tells of heartbeats, queues and periodic tasks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps.common import redis
from apps.gateway import heartbeats
from apps.gateway.metrics import gateway
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
