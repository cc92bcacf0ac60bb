"""/metrics: every figure, for whoever has METRICS_TOKEN. Without that setting there is no such page."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, exposition
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from apps.common import redis
from apps.common.metrics.counting import PREFIX
from apps.common.metrics.readings import Readings, known_readings
from apps.gateway.bearer import has_token

UNREADABLE = "unreadable"


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not settings.METRICS_TOKEN:
        return HttpResponse(status=404)
    if not has_token(request, settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(written(), content_type=exposition.CONTENT_TYPE_PLAIN_0_0_4)


def written() -> bytes:
    """All figures: what every process has counted, and what is read now."""
    registry = CollectorRegistry()
    if settings.METRICS_DIRECTORY:
        MultiProcessCollector(registry, path=settings.METRICS_DIRECTORY)
    registry.register(ReadingsCollector())  # type: ignore[arg-type]
    return exposition.generate_latest(registry)


class ReadingsCollector:
    """Reads what the apps have registered. What cannot be read is counted in `unreadable`, and the rest is told all the same."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        failed = 0
        for readings in known_readings():
            try:
                families = _families(readings)
            except (DatabaseError, redis.RedisUnavailable):
                failed += 1
            else:
                yield from families
        text = "Groups of figures that could not be read: the database or Redis is away."
        yield GaugeMetricFamily(PREFIX + UNREADABLE, text, value=failed)


def _families(readings: Readings) -> list[GaugeMetricFamily]:
    families: dict[str, GaugeMetricFamily] = {}
    for one in readings.read():
        if one.name not in families:
            text = readings.texts[one.name]
            families[one.name] = GaugeMetricFamily(PREFIX + one.name, text, labels=list(one.labels))
        family: Any = families[one.name]
        family.add_metric(list(one.labels.values()), float(one.value))
    return list(families.values())
