"""What becomes of the tasks of CELERY_BEAT_SCHEDULE: each has one row with its last run, written by Celery's signals.

/health/full, the back office and /metrics read these rows. A task is failing if it failed twice in a row, missed two runs, or
does not end. What fails here is logged: no task fails because it could not be recorded.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self

from celery import states
from celery.exceptions import TimeLimitExceeded, WorkerLostError
from celery.signals import task_failure, task_postrun
from django.conf import settings
from django.db import DatabaseError, connection, models, transaction

from apps.common import clock
from apps.common.errors import cut

logger = logging.getLogger(__name__)

KEPT_SECONDS = 60.0
"""A task that runs more often is recorded once in so many seconds, as long as nothing changes."""
GRACE = timedelta(seconds=60)
LEAST_PATIENCE, MOST_PATIENCE = 600.0, 3_600.0
MISSES = 2
ENOUGH = 2
"""So many failures in a row are a problem. More are not counted."""
FAILING, LATE, HANGING = "failing", "late", "hanging"
DIED = (WorkerLostError, TimeLimitExceeded)
"""How a run ends whose process is gone: the worker's parent process says so."""

# --- How a run ended ----------------------------------------------------------------------------------------------

ITSELF = ""
"""Stands for the task itself beside the suppliers that it asks."""
LONGEST_WHY = 200
UNREADABLE = "?"
"""Stands for a NUL, as for a lone surrogate: a supplier's words may hold both."""

Failing = Mapping[str, int]
"""Who has failed in the last runs → how often in a row, `ENOUGH` at most."""


class Tally:
    """How a run went. Returned by a task that asks several suppliers, and continues when one of them fails.

    It has failed for each supplier that did not answer a single time. Nothing is known of a supplier that it did not ask.
    """

    def __init__(self) -> None:
        self._answered: set[str] = set()
        self._failed: dict[str, str] = {}

    @classmethod
    def of_failure(cls, error: BaseException) -> Self:
        """Of a run that raised this."""
        tally = cls()
        tally.failed(ITSELF, error)
        return tally

    def answered(self, whom: str) -> None:
        self._answered.add(whom)

    def failed(self, whom: str, error: BaseException) -> None:
        """`whom`: the supplier, or ITSELF for a fault of this service."""
        self._failed[whom] = told(error)

    @property
    def failures(self) -> dict[str, str]:
        """Who failed → why."""
        return {whom: why for whom, why in self._failed.items() if whom not in self._answered}

    @property
    def succeeded(self) -> frozenset[str]:
        return frozenset({ITSELF, *self._answered} - self.failures.keys())

    def applied_to(self, failing: Failing) -> dict[str, int]:
        """Who is failing after this run. A supplier that the run had no need to ask stays as it was."""
        left = {whom: times for whom, times in failing.items() if whom not in self.succeeded}
        return left | {whom: min(ENOUGH, failing.get(whom, 0) + 1) for whom in self.failures}

    @property
    def why(self) -> str:
        said = [f"{whom}: {why}" if whom else why for whom, why in sorted(self.failures.items())]
        return cut("; ".join(said), LONGEST_WHY)


def told(error: BaseException) -> str:
    """The error in one line: its kind and the first line of its text, without what PostgreSQL stores in no text."""
    first = str(error).strip().partition("\n")[0]
    text = first.replace("\x00", UNREADABLE).encode(errors="replace").decode()
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__, LONGEST_WHY)


# --- The tasks and their rows -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """`name` is the entry of CELERY_BEAT_SCHEDULE, `task` the name that Celery knows."""

    name: str
    task: str
    seconds: float

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


def periodic_tasks() -> dict[str, PeriodicTask]:
    """By the name that Celery knows, in the order of the settings."""
    entries: Mapping[str, Any] = settings.CELERY_BEAT_SCHEDULE
    return {
        entry["task"]: PeriodicTask(name, entry["task"], float(entry["schedule"]))
        for name, entry in entries.items()
    }


class TaskRecord(models.Model):
    """A periodic task's last run, success and failure."""

    task = models.CharField(primary_key=True, max_length=128)
    known_since = models.DateTimeField(default=clock.now, help_text="Nothing was due before this instant")
    started_at = models.DateTimeField(
        null=True, help_text="Set while it runs, if that is once a minute or less"
    )
    last_run_at = models.DateTimeField(null=True, help_text="When the last run ended, whatever came of it")
    last_success_at = models.DateTimeField(null=True)
    last_failure_at = models.DateTimeField(null=True)
    failure = models.CharField(max_length=255, default="", help_text="Why it failed the last time")
    failing = models.JSONField(
        default=dict,
        help_text=("What fails, the task itself or a supplier that it calls, and how often in a row"),
    )

    class Meta:
        app_label = "gateway"
        verbose_name = "periodic task"

    def __str__(self) -> str:
        return self.task

    @property
    def fails(self) -> bool:
        return ENOUGH in self.failing.values()

    def overdue(self, periodic: PeriodicTask, now: datetime) -> timedelta:
        """How long ago it should have run again. Nothing while a run is under way."""
        if self.started_at is not None:
            return timedelta()
        since = max(self.last_run_at or self.known_since, self.known_since)
        return max(timedelta(), now - since - periodic.pause)

    def trouble(self, periodic: PeriodicTask, now: datetime) -> str:
        """What staff should know now: `failing`, `hanging`, `late` or nothing."""
        if self.fails:
            return FAILING
        if self.started_at is not None and now - self.started_at > periodic.patience:
            return HANGING
        return LATE if self.overdue(periodic, now) + periodic.pause > periodic.silence else ""


def known_tasks() -> list[tuple[PeriodicTask, TaskRecord]]:
    """Every periodic task with its row. One that has none gets it now: from now on it can be late."""
    tasks = periodic_tasks()
    rows = {row.task: row for row in TaskRecord.objects.all()}
    if missing := [TaskRecord(task=task) for task in tasks if task not in rows]:
        TaskRecord.objects.bulk_create(missing, ignore_conflicts=True)
        rows |= {row.task: row for row in missing}
    return [(periodic, rows[task]) for task, periodic in tasks.items()]


def troubled() -> list[TaskRecord]:
    now = clock.now()
    return [row for periodic, row in known_tasks() if row.trouble(periodic, now)]


def clear(tasks: list[str]) -> int:
    """Forget the failures of these tasks, and what they missed, as seen to by staff. Returns how many tasks."""
    return TaskRecord.objects.filter(pk__in=tasks).update(
        failing={}, started_at=None, known_since=clock.now()
    )


def health() -> dict[str, object]:
    """The part of /health/full; `degraded` while a task fails, is late or hangs."""
    now = clock.now()
    tasks = {
        periodic.name: {
            "status": row.trouble(periodic, now) or "ok",
            "everySeconds": round(periodic.seconds),
            "lastSuccessAt": row.last_success_at and clock.rfc3339(row.last_success_at),
            "lastFailureAt": row.last_failure_at and clock.rfc3339(row.last_failure_at),
            "lateSeconds": round(row.overdue(periodic, now).total_seconds()),
        }
        for periodic, row in known_tasks()
    }
    well = all(task["status"] == "ok" for task in tasks.values())
    return {"status": "ok" if well else "degraded", "tasks": tasks}


# --- Recording runs -----------------------------------------------------------------------------------------------


def record(task: str, tally: Tally) -> None:
    """Note that a run of `task` has ended. Does nothing for a task that is not periodic. Never raises."""
    periodic = periodic_tasks().get(task)
    if periodic is None:
        return
    try:
        with transaction.atomic():
            _store(periodic, tally)
    except DatabaseError:
        logger.exception("The run of %r could not be recorded", periodic.name)


def _store(periodic: PeriodicTask, tally: Tally) -> None:
    now = clock.now()
    row = TaskRecord.objects.filter(pk=periodic.task).first()
    failing = tally.applied_to(row.failing) if row else {}
    if row and failing == row.failing and row.last_run_at:
        if periodic.seconds < KEPT_SECONDS and now - row.last_run_at < timedelta(seconds=KEPT_SECONDS):
            return
        if not failing:
            TaskRecord.objects.filter(pk=row.pk).update(started_at=None, last_run_at=now, last_success_at=now)
            return
    TaskRecord.objects.bulk_create([TaskRecord(task=periodic.task)], ignore_conflicts=True)
    row = TaskRecord.objects.select_for_update().get(pk=periodic.task)
    failed = row.fails
    row.failing = tally.applied_to(row.failing)
    row.started_at, row.last_run_at = None, now
    if tally.failures:
        row.last_failure_at, row.failure = now, tally.why
    else:
        row.last_success_at = now
    row.save()
    if row.fails and not failed:
        logger.critical("Periodic task %r fails: %s", periodic.name, row.failure)
    if failed and not row.fails:
        logger.warning("Periodic task %r has recovered", periodic.name)


@contextmanager
def recorded(task: str) -> Iterator[Tally]:
    """For a command that does the work of the periodic task `task`: its run counts like one of beat's."""
    tally = Tally()
    try:
        yield tally
    except Exception as error:
        record(task, Tally.of_failure(error))
        raise
    record(task, tally)


def begins(task: str) -> None:
    """Record that a run has begun, so that one that never ends is found. Not for tasks that run every few seconds.

    Called once the run has a thread (config.celery.SweepTask): one that is put off has not begun.
    """
    periodic = periodic_tasks().get(task)
    if periodic is None or periodic.seconds < KEPT_SECONDS:
        return
    try:
        TaskRecord.objects.filter(pk=task).update(started_at=clock.now())
    except DatabaseError:
        logger.exception("The start of %r could not be recorded", periodic.name)


def ends(sender: Any, state: str | None = None, retval: Any = None, **kwargs: object) -> None:
    if state == states.SUCCESS:
        record(sender.name, retval if isinstance(retval, Tally) else Tally())
    elif state == states.FAILURE:
        record(sender.name, Tally.of_failure(retval))


def died(sender: Any, exception: BaseException, **kwargs: object) -> None:
    """In the worker's parent process, which must not keep a connection that its next children would inherit."""
    if isinstance(exception, DIED):
        try:
            record(sender.name, Tally.of_failure(exception))
        finally:
            connection.close()


task_postrun.connect(ends)
task_failure.connect(died)
