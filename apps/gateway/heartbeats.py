"""Heartbeats of the workers and of beat, in Redis, for /health/full.

A worker's parent process leaves one by a timer, whatever its tasks do: a run that hangs and a task that a backlog makes late are
alerts of their own (periodic.py). It leaves none while it cannot reach PostgreSQL, because its tasks would fail. Beat leaves one
when it publishes a task.
"""

from collections.abc import Callable
from typing import Any

from celery.signals import before_task_publish, worker_ready
from django.db import DatabaseError, connection

from apps.common import clock, redis
from apps.gateway.probes import register_part

BEAT_TASK = "gateway.every_second"
"""Only beat publishes it."""
WORKERS = {"celery": "worker", "suppliers": "networkWorker"}
PROCESSES = (*WORKERS.values(), "beat")
PAUSE_SECONDS = 10.0
ALIVE_SECONDS = 30
KEEP_SECONDS = 3_600


def beat_published(**kwargs: object) -> None:
    leave("beat")


def worker_is_ready(sender: Any, **kwargs: object) -> None:
    """The worker takes messages from now on. `sender` is its Consumer, whose timer runs in the parent process."""
    for process in (WORKERS[queue] for queue in sender.app.amqp.queues.consume_from if queue in WORKERS):
        leave_for_worker(process)
        sender.timer.call_repeatedly(PAUSE_SECONDS, leave_for_worker, (process,))


def leave_for_worker(process: str) -> None:
    """Leave nothing while the database does not answer. Keeps no connection, which forked children would inherit."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return
    finally:
        connection.close()
    leave(process)


def leave(process: str) -> None:
    """Store that `process` is alive now. Does nothing while Redis is unavailable."""
    instant = clock.now().timestamp()
    try:
        redis.run(lambda client: client.set(f"heartbeat:{process}", instant, ex=KEEP_SECONDS))
    except redis.RedisUnavailable:
        return


def part(process: str) -> Callable[[], dict[str, object]]:
    def read() -> dict[str, object]:
        left: Any = redis.run(lambda client: client.get(f"heartbeat:{process}"))
        if left is None:
            return {"status": "unavailable", "secondsAgo": None}
        age = max(0.0, clock.now().timestamp() - float(left))
        return {"status": "ok" if age < ALIVE_SECONDS else "unavailable", "secondsAgo": round(age, 1)}

    return read


def register() -> None:
    for process in PROCESSES:
        register_part(process, part(process))
    worker_ready.connect(worker_is_ready)
    before_task_publish.connect(beat_published, sender=BEAT_TASK)
