"""The unauthenticated probes outside /v1. None shows a secret or a host name (contract §3)."""

import time
from collections.abc import Callable
from typing import Any

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from rest_framework import serializers

from apps.common import redis
from apps.gateway.call import Answer
from apps.gateway.public import PublicView
from apps.gateway.routes import RateClass, route

Part = Callable[[], dict[str, object]]

_parts: dict[str, Part] = {}
_migrated = False


def register_part(name: str, part: Part) -> None:
    """Add a part to /health/full; its dict may say anything, `status` among it."""
    _parts[name] = part


class HealthAnswer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok"])


class ReadyAnswer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok", "degraded", "unavailable"])


class FullAnswer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ok", "degraded"])
    parts = serializers.DictField(child=serializers.DictField())


class Health(PublicView):
    @route("health", "", RateClass.READ, HealthAnswer)
    def get(self) -> Answer:
        """Ask whether the process is alive."""
        return Answer({"status": "ok"})


class Ready(PublicView):
    @route("healthReady", "", RateClass.READ, ReadyAnswer, also={503: ReadyAnswer})
    def get(self) -> Answer:
        """Ask whether the service can serve.

        503 only while the database does not answer or lacks a migration; without Redis `degraded`, because reads go on.
        """
        if not database_is_ready():
            return Answer({"status": "unavailable"}, 503)
        return Answer({"status": "ok" if redis_answers() else "degraded"})


class Full(PublicView):
    @route("healthFull", "", RateClass.READ, FullAnswer)
    def get(self) -> Answer:
        """Read every part's state and latency.

        Database, Redis, worker and beat heartbeats, the oldest due delivery, unresolved bookings by age.
        """
        parts = {
            "database": timed(lambda: {"status": "ok" if database_is_ready() else "unavailable"}),
            "redis": timed(lambda: {"status": "ok" if redis_answers() else "unavailable"}),
            **{name: timed(part) for name, part in _parts.items()},
        }
        well = all(part["status"] == "ok" for part in parts.values())
        return Answer({"status": "ok" if well else "degraded", "parts": parts})


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
