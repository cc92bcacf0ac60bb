"""Figures for Prometheus, by its own client library: docs/metrics.md names each of them.

Counters and histograms add up what happens, in files that all processes of a host share (METRICS_DIRECTORY). What the database or
Redis knows is not counted but read when /metrics is requested: `register_readings`.

Labels are words of ours (operations, error types, suppliers), never what a caller sends: so there are few.
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Case, CharField, Value, When
from prometheus_client import CollectorRegistry, Counter, generate_latest, values
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.samples import Sample

from apps.common.redis import RedisUnavailable

PREFIX = "travel_partner_"
# The buckets of every histogram.
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0)
HOST = socket.gethostname()

if settings.METRICS_DIRECTORY:
    Path(settings.METRICS_DIRECTORY).mkdir(mode=0o700, parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = settings.METRICS_DIRECTORY
    # Containers that share the directory count their processes each from 1.
    values.ValueClass = values.MultiProcessValue(lambda: f"{HOST}-{os.getpid()}")  # type: ignore[no-untyped-call]

CRITICALS = Counter("travel_partner_criticals", "Log lines that staff must see to, by logger.", ["logger"])


class CountCriticals(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        CRITICALS.labels(record.name).inc()


# --- What is read when /metrics is requested ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """One figure. Those of one name differ by their labels."""

    name: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Readings:
    """Figures that are read together. `texts` explains each name."""

    texts: Mapping[str, str]
    read: Callable[[], Iterable[Reading]]


_known: list[Readings] = []


def register_readings(readings: Readings) -> None:
    _known.append(readings)


def known_readings() -> tuple[Readings, ...]:
    return tuple(_known)


class ReadingsCollector:
    """Reads what the apps have registered. What cannot be read is left out."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for readings in known_readings():
            try:
                families = _families(readings)
            except (DatabaseError, RedisUnavailable):
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


def exposition() -> bytes:
    """All figures as one text: what every process of this host has counted, and what is read now."""
    registry = _of_host()
    registry.register(ReadingsCollector())
    return generate_latest(registry)


def samples_of_host() -> Iterator[Sample]:
    """What every process of this host has counted; nothing without METRICS_DIRECTORY."""
    for family in _of_host().collect():
        yield from family.samples


def _of_host() -> CollectorRegistry:
    registry = CollectorRegistry()
    if settings.METRICS_DIRECTORY:
        MultiProcessCollector(registry, path=settings.METRICS_DIRECTORY)  # type: ignore[no-untyped-call]
    return registry


# --- Ages in four steps, for counts by age ------------------------------------------------------------------------

MINUTE, HOUR, DAY, OLDER = "under a minute", "under an hour", "under a day", "older"
AGES = (MINUTE, HOUR, DAY, OLDER)


def age_of(column: str, now: datetime) -> Case:
    since = {
        MINUTE: now - timedelta(minutes=1),
        HOUR: now - timedelta(hours=1),
        DAY: now - timedelta(days=1),
    }
    steps = [When(**{f"{column}__gt": instant}, then=Value(age)) for age, instant in since.items()]
    return Case(*steps, default=Value(OLDER), output_field=CharField())


# --- PostgreSQL ---------------------------------------------------------------------------------------------------

CONNECTIONS = """
SELECT coalesce(state, 'unknown'), count(*)
  FROM pg_stat_activity
 WHERE usename = current_user AND datname = current_database()
 GROUP BY 1"""
SERVER = "SELECT current_setting('max_connections')::int, extract(epoch FROM clock_timestamp())::float"
DATABASE_TEXTS = {
    "database_connections": "Connections of the service's role to its database, by what they do.",
    "database_connections_most": "How many connections the database server admits from everybody.",
    "clock_ahead_seconds": "How far the clock of this host is ahead of the database's, which alone decides.",
}


def database() -> Iterator[Reading]:
    with connection.cursor() as cursor:
        cursor.execute(CONNECTIONS)
        for state, count in cursor.fetchall():
            yield Reading("database_connections", count, {"state": state})
        asked = time.time()
        cursor.execute(SERVER)
        most, instant = cursor.fetchone()
    yield Reading("database_connections_most", most)
    yield Reading("clock_ahead_seconds", (asked + time.time()) / 2 - instant)
