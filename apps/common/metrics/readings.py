"""Figures that are read when they are asked for: from PostgreSQL, from Redis, or from the process itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field


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
    """Have them read for /metrics. Called when an app is ready."""
    _known.append(readings)


def known_readings() -> tuple[Readings, ...]:
    return tuple(_known)
