"""The periodic tasks as the settings have them, and how long each may be silent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings

KEPT_SECONDS = 60.0
"""A task that runs more often is recorded once in so many seconds, as long as nothing changes."""
GRACE = timedelta(seconds=60)
LEAST_PATIENCE, MOST_PATIENCE = 600.0, 3_600.0
MISSES = 2


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """`name` is the entry of CELERY_BEAT_SCHEDULE, `task` the name that Celery knows."""

    name: str
    task: str
    seconds: float

    @property
    def is_frequent(self) -> bool:
        """Runs too often for a row to be written each time."""
        return self.seconds < KEPT_SECONDS

    @property
    def pause(self) -> timedelta:
        """From one record of a run to the next."""
        return timedelta(seconds=max(self.seconds, KEPT_SECONDS))

    @property
    def silence(self) -> timedelta:
        """After so long without a run the second one has been missed."""
        return MISSES * self.pause + GRACE

    @property
    def patience(self) -> timedelta:
        """How long one run may take."""
        return timedelta(seconds=min(max(self.seconds, LEAST_PATIENCE), MOST_PATIENCE))

    @property
    def queue(self) -> str:
        route = settings.CELERY_TASK_ROUTES.get(self.task, {})
        return str(route.get("queue", "celery"))


def periodic_tasks() -> dict[str, PeriodicTask]:
    """By the name that Celery knows, in the order of the settings."""
    entries: Mapping[str, Any] = settings.CELERY_BEAT_SCHEDULE
    return {
        entry["task"]: PeriodicTask(name, entry["task"], float(entry["schedule"]))
        for name, entry in entries.items()
    }
