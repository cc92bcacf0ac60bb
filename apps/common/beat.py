"""The scheduler of `celery beat`: the library's, which waits for PostgreSQL and rests between two tasks.

It reads its tasks as it starts, when PostgreSQL may be starting too, and every five minutes. The library ends the process where
PostgreSQL does not answer then. The library also asks before every task, several times a second, whether somebody has changed
the table; here nobody does: the settings say what there is, and the table only keeps when each task was last sent.

The library goes by the host's clock: set back by an hour, that would have it send nothing for an hour. Here it goes by a clock
that nobody sets.
"""

import logging
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import InterfaceError, OperationalError, connection
from django_celery_beat.schedulers import DatabaseScheduler, ModelEntry

from apps.common.steady_clock import steady_now

WAIT_SECONDS = 30.0
AGAIN_SECONDS = 0.5

logger = logging.getLogger(__name__)


class SteadyEntry(ModelEntry):  # type: ignore[misc]  # the library has no types
    """A task whose turn comes by `steady_now`."""

    last_run_at: datetime

    def __init__(self, model: Any, app: Any = None) -> None:
        super().__init__(model, app=app)
        self.schedule.nowfun = steady_now
        # Another host, or this one before it was started anew, may have been ahead.
        self.last_run_at = model.last_run_at = min(self.last_run_at, steady_now())

    def _default_now(self) -> datetime:
        return steady_now()


class PatientScheduler(DatabaseScheduler):  # type: ignore[misc]
    Entry = SteadyEntry
    _heap_invalidated: bool = False  # the library's, typed

    def all_as_schedule(self) -> dict[str, Any]:
        """Those of the settings: the table also keeps what an earlier release had."""
        wait_for_database()
        names = self.app.conf.beat_schedule
        return {name: entry for name, entry in super().all_as_schedule().items() if name in names}

    def install_default_entries(self, data: object) -> None:
        """None: the library's would forget results, and there are no results."""

    def schedule_changed(self) -> bool:
        return False

    def adjust(self, n: float, drift: float = 0.0) -> float:
        """When to look again. The library wakes 10 ms early, and then looks without rest until the task is due."""
        return n + drift

    def schedules_equal(self, *schedules: object) -> bool:
        """Whether the tasks are those of before. They are, unless they have just been read: nothing else makes others of them."""
        read_anew, self._heap_invalidated = self._heap_invalidated, False
        return not read_anew


def wait_for_database() -> None:
    """Return when it answers, or after half a minute: then whoever asks it next is told why it does not."""
    trouble = trouble_of_database()
    if trouble is None:
        return
    give_up = time.monotonic() + WAIT_SECONDS
    with stopped_at_once():
        logger.warning("PostgreSQL does not answer, waiting for it up to %d s: %s", WAIT_SECONDS, trouble)
        while trouble is not None and time.monotonic() < give_up:
            time.sleep(AGAIN_SECONDS)
            trouble = trouble_of_database()


def trouble_of_database() -> str | None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (OperationalError, InterfaceError) as trouble:
        connection.close()
        return " ".join(str(trouble).split())  # libpq says it in several lines
    return None


@contextmanager
def stopped_at_once() -> Iterator[None]:
    """A signal ends the process meanwhile. Celery's handler would first build a scheduler to save its runs, and wait again."""
    kept = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
