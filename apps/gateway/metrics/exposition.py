"""All figures as one text: what every process has counted, and what is read now.

Imported with the first answer alone: where nobody reads figures, the library is not loaded.
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from prometheus_client import CollectorRegistry, exposition
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from apps.common import redis
from apps.common.metrics.counting import PREFIX
from apps.common.metrics.readings import Readings, known_readings
from apps.gateway.probes import database_is_ready, redis_answers

CONTENT_TYPE = exposition.CONTENT_TYPE_PLAIN_0_0_4
ANSWERS = {"database": database_is_ready, "redis": redis_answers}


def written() -> bytes:
    registry = CollectorRegistry()
    if settings.METRICS_DIRECTORY:
        MultiProcessCollector(registry, path=settings.METRICS_DIRECTORY)  # type: ignore[no-untyped-call]
    registry.register(ReadingsCollector())
    return exposition.generate_latest(registry)


class ReadingsCollector:
    """Reads what the apps have registered. What cannot be read is left out, and the rest is told all the same."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        answers = GaugeMetricFamily(
            f"{PREFIX}answers", "1 for the database and for Redis while they answer.", labels=["part"]
        )
        for part, asked in ANSWERS.items():
            answers.add_metric([part], float(asked()))
        yield answers
        for readings in known_readings():
            try:
                families = _families(readings)
            except (DatabaseError, redis.RedisUnavailable):
                continue
            yield from families


def _families(readings: Readings) -> list[GaugeMetricFamily]:
    families: dict[str, GaugeMetricFamily] = {}
    for one in readings.read():
        if one.name not in families:
            text = readings.texts[one.name]
            families[one.name] = GaugeMetricFamily(PREFIX + one.name, text, labels=list(one.labels))
        family: Any = families[one.name]
        family.add_metric(list(one.labels.values()), float(one.value))
    return list(families.values())
