"""Records how each run of a periodic task ended. What fails here is logged: no task fails because it could not be recorded.

PostgreSQL keeps it, since what Redis knows may be lost. A task that runs every few seconds writes there once a minute; in between
Redis tells whether a run changes anything.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from celery import states
from celery.exceptions import TimeLimitExceeded, WorkerLostError
from celery.signals import task_failure, task_postrun, task_prerun
from django.db import DatabaseError, connection, transaction

from apps.common import clock, redis
from apps.gateway.periodic.models import TaskRecord
from apps.gateway.periodic.schedule import KEPT_SECONDS, PeriodicTask, periodic_tasks
from apps.gateway.periodic.tally import Failing, Outcome, Tally, outcome_of, outcome_of_failure

logger = logging.getLogger(__name__)

DIED = (WorkerLostError, TimeLimitExceeded)
"""How a run ends whose process is gone: the worker's parent process says so."""


@contextmanager
def recorded(task: str) -> Iterator[Tally]:
    """For a command that does the work of the periodic task `task`: its run counts like one of beat's."""
    tally = Tally()
    try:
        yield tally
    except Exception as error:
        record(task, outcome_of_failure(error))
        raise
    record(task, tally.outcome)


def record(task: str, outcome: Outcome) -> None:
    """Note that a run of `task` has ended. Does nothing for a task that is not periodic. Never raises."""
    periodic = periodic_tasks().get(task)
    if periodic is None:
        return
    try:
        if periodic.is_frequent:
            _store_changes(periodic, outcome)
        else:
            _store(periodic, outcome)
    except DatabaseError:
        logger.exception("The run of %r could not be recorded", periodic.name)


def started(task: str) -> None:
    """Note that a run has begun, so that one that never ends is found. Never raises."""
    periodic = periodic_tasks().get(task)
    if periodic is None or periodic.is_frequent:
        return
    now = clock.now()
    try:
        if not TaskRecord.objects.filter(pk=task).update(started_at=now):
            TaskRecord.objects.bulk_create([TaskRecord(task=task, started_at=now)], ignore_conflicts=True)
    except DatabaseError:
        logger.exception("The start of %r could not be recorded", periodic.name)


def _store_changes(periodic: PeriodicTask, outcome: Outcome) -> None:
    known = _remembered(periodic.task)
    if known is None or outcome.applied_to(known) != known:
        _remember(periodic.task, _store(periodic, outcome))


def _store(periodic: PeriodicTask, outcome: Outcome) -> Failing:
    """Write the row, and tell staff where its alert begins or ends. Returns who is failing now."""
    now = clock.now()
    if not outcome.failures:
        well = TaskRecord.objects.filter(pk=periodic.task, failing={}, alert="")
        if well.update(started_at=None, last_run_at=now, last_success_at=now):
            return {}
    with transaction.atomic():
        TaskRecord.objects.bulk_create([TaskRecord(task=periodic.task)], ignore_conflicts=True)
        row = TaskRecord.objects.select_for_update().get(pk=periodic.task)
        before = row.alert
        row.take(outcome, now)
        row.save()
    if row.alert and not before:
        logger.critical("Periodic task %r fails: %s", periodic.name, row.failure)
    if before and not row.alert:
        logger.warning("Periodic task %r is well again", periodic.name)
    return dict(row.failing)


def _remembered(task: str) -> Failing | None:
    """Who was failing when the row was written, if that was within the last minute."""
    try:
        kept: Any = redis.run(lambda client: client.get(f"periodic:{task}"))
    except redis.RedisUnavailable:
        return None
    return None if kept is None else orjson.loads(kept)


def _remember(task: str, failing: Failing) -> None:
    kept = orjson.dumps(failing)
    try:
        redis.run(lambda client: client.set(f"periodic:{task}", kept, ex=int(KEPT_SECONDS)))
    except redis.RedisUnavailable:
        return


def forget(task: str) -> None:
    """Have the next run written whatever comes of it: somebody else has changed the row."""
    try:
        redis.run(lambda client: client.delete(f"periodic:{task}"))
    except redis.RedisUnavailable:
        return


def _begins(sender: Any, **kwargs: object) -> None:
    started(sender.name)


def _ends(sender: Any, state: str | None = None, retval: Any = None, **kwargs: object) -> None:
    if state == states.SUCCESS:
        record(sender.name, outcome_of(retval))
    elif state == states.FAILURE:
        record(sender.name, outcome_of_failure(retval))


def _died(sender: Any, exception: BaseException, **kwargs: object) -> None:
    """In the worker's parent process, which must not keep a connection that its next children would inherit."""
    if isinstance(exception, DIED):
        try:
            record(sender.name, outcome_of_failure(exception))
        finally:
            connection.close()


def listen() -> None:
    """Record every run that a worker makes. Called when the app is ready."""
    task_prerun.connect(_begins)
    task_postrun.connect(_ends)
    task_failure.connect(_died)
