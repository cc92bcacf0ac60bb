"""The unauthenticated probes outside /v1. None shows a secret or a host name (contract §3)."""

import time
from collections.abc import Callable

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views import View

from apps.common import redis
from apps.gateway.envelope import JSON, render

Part = Callable[[], dict[str, object]]

_parts: dict[str, Part] = {}
_migrated = False


def register_part(name: str, part: Part) -> None:
    """Add a part to /health/full; its dict may say anything, `status` among it."""
    _parts[name] = part


def answer(body: dict[str, object], status: int = 200) -> HttpResponse:
    return HttpResponse(render(body), status=status, content_type=JSON)


class Health(View):
    """The process is alive."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return answer({"status": "ok"})


class Ready(View):
    """503 only while the database does not answer or lacks a migration; without Redis `degraded`, because reads go on."""

    def get(self, request: HttpRequest) -> HttpResponse:
        if not database_is_ready():
            return answer({"status": "unavailable"}, 503)
        return answer({"status": "ok" if redis_answers() else "degraded"})


class Full(View):
    """Each part with its latency, worker and beat heartbeats, due deliveries, unresolved bookings by age."""

    def get(self, request: HttpRequest) -> HttpResponse:
        parts: dict[str, object] = {
            "database": timed(lambda: {"status": "ok" if database_is_ready() else "unavailable"}),
            "redis": timed(lambda: {"status": "ok" if redis_answers() else "unavailable"}),
        }
        for name, part in _parts.items():
            parts[name] = timed(part)
        well = all(part["status"] == "ok" for part in parts.values() if isinstance(part, dict))
        return answer({"status": "ok" if well else "degraded", "parts": parts})


def timed(part: Part) -> dict[str, object]:
    """The part, `unavailable` where it cannot be asked, with the milliseconds that asking took."""
    began = time.perf_counter()
    try:
        found = {"status": "ok", **part()}
    except (DatabaseError, redis.RedisUnavailable):
        found = {"status": "unavailable"}
    return {**found, "milliseconds": round((time.perf_counter() - began) * 1000, 1)}


def database_is_ready() -> bool:
    """Whether PostgreSQL answers and has every migration; once it had them all, only whether it answers."""
    global _migrated
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _migrated:
            executor = MigrationExecutor(connection)
            _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return False
    return _migrated


def redis_answers() -> bool:
    try:
        return bool(redis.run(lambda client: client.ping()))
    except redis.RedisUnavailable:
        return False
