"""/metrics, for callers with METRICS_TOKEN; and what the gateway reads for it: heartbeats, queues, tasks."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from apps.common import clock, redis
from apps.common.metrics import Reading, Readings, exposition, register_readings
from apps.gateway.authentication import has_token
from apps.gateway.heartbeats import KEEP_SECONDS, PROCESSES
from apps.gateway.periodic import known_tasks
from apps.gateway.probes import database_is_ready, redis_answers

TEXTS = {
    "heartbeat_age_seconds": "How long ago each kind of process was last known to be alive; an hour or more: 3600.",
    "queue_messages": "Messages that wait in each queue of the workers.",
    "task_overdue_seconds": "How long ago each periodic task should have run again.",
    "task_last_success_seconds": "How long ago each periodic task last ended well.",
    "task_in_trouble": "1 for each periodic task that fails, is late or hangs.",
}

ANSWERS = {"database": database_is_ready, "redis": redis_answers}
ANSWER_TEXTS = {"answers": "1 for the database and for Redis while they answer."}


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Every figure. Without METRICS_TOKEN there is no such page."""
    if not settings.METRICS_TOKEN:
        return HttpResponse(status=404)
    if not has_token(request, settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def answers() -> Iterator[Reading]:
    for part, ask in ANSWERS.items():
        yield Reading("answers", ask(), {"part": part})


def gateway() -> Iterator[Reading]:
    yield from _alive()
    yield from _tasks()


def _alive() -> Iterator[Reading]:
    now = clock.now().timestamp()
    queues = sorted({"celery", *(route["queue"] for route in settings.CELERY_TASK_ROUTES.values())})

    def ask(client: Any) -> list[Any]:
        asked = client.pipeline(transaction=False)
        for who in PROCESSES:
            asked.get(f"heartbeat:{who}")
        for queue in queues:
            asked.llen(queue)
        return list(asked.execute())

    found = redis.run(ask)
    for who, left in zip(PROCESSES, found, strict=False):
        age = KEEP_SECONDS if left is None else max(0.0, now - float(left))
        yield Reading("heartbeat_age_seconds", age, {"process": who})
    if settings.CELERY_BROKER_URL == settings.REDIS_URL or settings.REDIS_URL.startswith("unix:"):
        for queue, waiting in zip(queues, found[len(PROCESSES) :], strict=True):
            yield Reading("queue_messages", waiting, {"queue": queue})


def _tasks() -> Iterator[Reading]:
    now = clock.now()
    for periodic, row in known_tasks():
        labels = {"task": periodic.name}
        yield Reading("task_overdue_seconds", row.overdue(periodic, now).total_seconds(), labels)
        yield Reading("task_in_trouble", bool(row.trouble(periodic, now)), labels)
        since = row.last_success_at or row.known_since
        yield Reading("task_last_success_seconds", max(0.0, (now - since).total_seconds()), labels)


def register() -> None:
    register_readings(Readings(ANSWER_TEXTS, answers))
    register_readings(Readings(TEXTS, gateway))
