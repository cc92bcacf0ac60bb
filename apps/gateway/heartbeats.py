"""Heartbeats of the workers and of beat, in Redis, for /health/full. Beat leaves one when it publishes a task.

A worker leaves one when it runs a task; one that cannot reach PostgreSQL leaves none, because its tasks would fail. The
suppliers' worker has a heartbeat of its own. It stops where no worker serves that queue, and while suppliers keep all of its
processes waiting.

The processes of the queues `long` and `webhooks` may all be busy for minutes, and well. So the parents of those workers leave
their heartbeats by a timer, whatever the children do. A run that hangs, and a task that a backlog makes late, raise alerts of
their own.
"""

from collections.abc import Callable
from typing import Any

from celery.signals import before_task_publish, worker_ready
from django.db import DatabaseError, connection

from apps.common import clock, redis
from apps.gateway.probes import register_part

TASK, SUPPLIER_TASK = "gateway.heartbeat", "gateway.supplier_heartbeat"
OF_QUEUE = {"long": "longWorker", "webhooks": "dispatcher"}
"""Whose heartbeat the parent of a worker leaves that serves this queue."""
PROCESSES = ("worker", "supplierWorker", *OF_QUEUE.values(), "beat")
BEAT_SECONDS = 10.0
ALIVE_SECONDS = 30
KEEP_SECONDS = 3_600


def published(**kwargs: object) -> None:
    """A heartbeat task was published, and only beat does that: so beat is alive."""
    leave("beat")


def ready(sender: Any, **kwargs: object) -> None:
    """A worker takes messages from now on. `sender` is its Consumer, whose timer runs in the parent process."""
    for who in (OF_QUEUE[queue] for queue in sender.app.amqp.queues.consume_from if queue in OF_QUEUE):
        leave_of_parent(who)
        sender.timer.call_repeatedly(BEAT_SECONDS, leave_of_parent, (who,))


def leave_of_parent(who: str) -> None:
    """Keeps no connection, which the next children would inherit. Leaves nothing while the database does not answer."""
    try:
        leave_of_worker(who)
    except DatabaseError:
        return
    finally:
        connection.close()


def leave_of_worker(who: str) -> None:
    """Leave a worker's heartbeat. Raises DatabaseError where the database does not answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    leave(who)


def leave(who: str) -> None:
    """Store that `who` is alive now. Does nothing while Redis is away."""
    instant = clock.now().timestamp()
    try:
        redis.run(lambda client: client.set(f"heartbeat:{who}", instant, ex=KEEP_SECONDS))
    except redis.RedisUnavailable:
        return


def part(who: str) -> Callable[[], dict[str, object]]:
    """The part of /health/full for `who`: seconds since the last heartbeat."""

    def read() -> dict[str, object]:
        left: Any = redis.run(lambda client: client.get(f"heartbeat:{who}"))
        if left is None:
            return {"status": "unavailable", "secondsAgo": None}
        age = max(0.0, clock.now().timestamp() - float(left))
        return {"status": "ok" if age < ALIVE_SECONDS else "unavailable", "secondsAgo": round(age, 1)}

    return read


def register() -> None:
    """Add the heartbeats to /health/full. Called when the app is ready."""
    for who in PROCESSES:
        register_part(who, part(who))
    worker_ready.connect(ready)
    before_task_publish.connect(published, sender=TASK)
