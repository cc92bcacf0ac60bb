"""GET /v1/ping, and the probes outside /v1. They need no key, and show no secret and no host name (contract §3)."""

import time
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request

from apps.common import clock, redis
from apps.common.errors import AuthenticationRequired
from apps.gateway import fields
from apps.gateway.authentication import has_token
from apps.gateway.operations import RateClass, action, operation
from apps.gateway.responses import Answer
from apps.gateway.serializers import AnswerBody
from apps.gateway.viewsets import PublicViewSet

Part = Callable[[], dict[str, object]]

_parts: dict[str, Part] = {}
_migrated = False


def register_part(name: str, part: Part) -> None:
    """Add a part to /health/full. `part` returns what it shows; it is `ok` unless its `status` says otherwise."""
    _parts[name] = part


class HealthAnswer(AnswerBody):
    """The process is alive."""

    status = fields.Choice(["ok"], help_text="Always `ok`.")


@extend_schema_serializer(component_name="Readiness")
class ReadyAnswer(AnswerBody):
    """Whether the service can serve."""

    status = fields.Choice(
        ["ok", "degraded", "unavailable"],
        help_text=(
            "`ok`. `degraded`: Redis is unavailable, and only reads work. `unavailable`, with 503: the database is "
            "unavailable."
        ),
    )


@extend_schema_serializer(component_name="HealthReport")
class FullAnswer(AnswerBody):
    """The state of each component of the service."""

    status = fields.Choice(["ok", "degraded"], help_text="`ok` if every component is; otherwise `degraded`.")
    parts = serializers.DictField(
        child=serializers.DictField(),
        help_text=(
            "Each component by name, with its `status` and the duration of its check in `milliseconds`."
        ),
    )


class PingAnswer(AnswerBody):
    """The service responds."""

    status = fields.Choice(["ok"], help_text="Always `ok`.")
    time = serializers.DateTimeField(help_text="The service's clock, RFC 3339, in UTC.")


class PingViewSet(PublicViewSet):
    @operation("ping", rate_class=RateClass.READ, answer=PingAnswer)
    def retrieve(self, request: Request) -> Answer:
        """Check that the service responds.

        Needs no key and does not validate one.
        """
        return Answer({"status": "ok", "time": clock.rfc3339(clock.now())})


class HealthViewSet(PublicViewSet):
    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """/health/full needs HEALTH_TOKEN, if one is set. The other two show nothing of this deployment."""
        guarded = self.action_map.get("get") == "full" and settings.HEALTH_TOKEN
        if guarded and not has_token(request, settings.HEALTH_TOKEN):
            raise AuthenticationRequired
        super().initial(request, *args, **kwargs)

    @operation("health", rate_class=RateClass.READ, answer=HealthAnswer)
    def retrieve(self, request: Request) -> Answer:
        """Check that the process is alive.

        Checks nothing else: neither the database nor Redis.
        """
        return Answer({"status": "ok"})

    @action(detail=True, methods=["get"])
    @operation("healthReady", rate_class=RateClass.READ, answer=ReadyAnswer, also={503: ReadyAnswer})
    def ready(self, request: Request) -> Answer:
        """Check that the service is ready.

        503 only while the database is unreachable or lacks a migration; without Redis `degraded`, because reads still work.
        """
        if not database_is_ready():
            return Answer({"status": "unavailable"}, 503)
        return Answer({"status": "ok" if redis_answers() else "degraded"})

    @action(detail=True, methods=["get"])
    @operation("healthFull", rate_class=RateClass.READ, answer=FullAnswer)
    def full(self, request: Request) -> Answer:
        """Read the state and latency of every component.

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
    """The part and the milliseconds that reading it took; `unavailable` where PostgreSQL or Redis does not answer."""
    began = time.perf_counter()
    try:
        found = {"status": "ok", **part()}
    except (DatabaseError, redis.RedisUnavailable):
        found = {"status": "unavailable"}
    return {**found, "milliseconds": round((time.perf_counter() - began) * 1000, 1)}


def database_is_ready() -> bool:
    """Whether PostgreSQL answers and has every migration. Once all are there, migrations are not looked up again."""
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
