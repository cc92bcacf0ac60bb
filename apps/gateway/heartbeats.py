"""Signs of life of workers and beat, kept in Redis for /health/full: beat leaves one as it publishes, a worker as it works.

A worker that does not reach PostgreSQL leaves none: whatever else it did would fail. The suppliers' worker has its own: it is
silent where nobody serves that queue, and while suppliers keep all of its processes waiting.
"""

from collections.abc import Callable
from typing import Any

from celery.signals import before_task_publish
from django.db import connection

from apps.common import clock, redis
from apps.gateway.probes import register_part

TASK, SUPPLIER_TASK = "gateway.heartbeat", "gateway.supplier_heartbeat"
ALIVE_SECONDS = 30
KEEP_SECONDS = 3_600


def published(**kwargs: object) -> None:
    """Only beat publishes heartbeats."""
    leave("beat")


def leave_of_worker(who: str) -> None:
    """Raises DatabaseError instead where the database does not answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    leave(who)


def leave(who: str) -> None:
    """Say that `who` is alive now; without Redis nobody is told, and nothing else happens."""
    instant = clock.now().timestamp()
    try:
        redis.run(lambda client: client.set(f"heartbeat:{who}", instant, ex=KEEP_SECONDS))
    except redis.RedisUnavailable:
        return


def part(who: str) -> Callable[[], dict[str, object]]:
    """`who`'s part of /health/full: seconds since the last sign of life."""

    def read() -> dict[str, object]:
        left: Any = redis.run(lambda client: client.get(f"heartbeat:{who}"))
        if left is None:
            return {"status": "unavailable", "secondsAgo": None}
        age = max(0.0, clock.now().timestamp() - float(left))
        return {"status": "ok" if age < ALIVE_SECONDS else "unavailable", "secondsAgo": round(age, 1)}

    return read


def register() -> None:
    for who in ("worker", "supplierWorker", "beat"):
        register_part(who, part(who))
    before_task_publish.connect(published, sender=TASK, weak=False)
