"""Finds the periodic tasks that do not run: beat, broker or worker is away, a queue is full, or a run hangs.

Who is away cannot say so itself. So the web processes look, once a minute: they need neither broker nor workers for it.
"""

import logging
import threading
from datetime import datetime

from django.db import DatabaseError, connection

from apps.common import clock
from apps.gateway.periodic.models import TaskAlert, TaskRecord
from apps.gateway.periodic.recording import forget
from apps.gateway.periodic.schedule import PeriodicTask, periodic_tasks

logger = logging.getLogger(__name__)

LOOK_SECONDS = 60.0
FIRST_LOOK_SECONDS = 120.0
"""After a stop of the whole service every task is late. Its first runs need a moment."""


def known_tasks() -> list[tuple[PeriodicTask, TaskRecord]]:
    """Every periodic task with its row. One that has none gets it now: from now on it can be late."""
    tasks = periodic_tasks()
    rows = {row.task: row for row in TaskRecord.objects.all()}
    if missing := [TaskRecord(task=task) for task in tasks if task not in rows]:
        TaskRecord.objects.bulk_create(missing, ignore_conflicts=True)
        rows |= {row.task: row for row in missing}
    return [(periodic, rows[task]) for task, periodic in tasks.items()]


def watch() -> list[str]:
    """Alert staff to each task that is late or hangs, once. Returns the names of those that were alerted to now."""
    forget_former()
    now = clock.now()
    found = [(periodic, row, row.trouble(periodic, now)) for periodic, row in known_tasks()]
    return [
        periodic.name
        for periodic, row, kind in found
        if kind and not row.alert and _raise(periodic, row, kind, now)
    ]


def forget_former() -> None:
    """A task that the settings no longer have (its product is not offered any more) begins anew should it return."""
    TaskRecord.objects.exclude(pk__in=list(periodic_tasks())).delete()


def _raise(periodic: PeriodicTask, row: TaskRecord, kind: str, now: datetime) -> bool:
    """Returns False where another process was first."""
    quiet = TaskRecord.objects.filter(pk=row.pk, alert="")
    if not quiet.update(alert=kind, alert_at=now):
        return False
    forget(periodic.task)
    if kind == TaskAlert.HANGING:
        logger.critical("Periodic task %r has been running since %s", periodic.name, row.started_at)
    else:
        since = row.last_run_at or row.known_since
        logger.critical(
            "Periodic task %r has not run since %s (queue %s)", periodic.name, since, periodic.queue
        )
    return True


def clear(rows: list[TaskRecord]) -> int:
    """Clear the alerts of these tasks, as seen to by staff; what is late or fails then is alerted to anew. Returns how many."""
    cleared = TaskRecord.objects.filter(pk__in=[row.pk for row in rows]).exclude(alert="")
    count = cleared.update(alert="", alert_at=None, failing={}, started_at=None, known_since=clock.now())
    for row in rows:
        forget(row.task)
    return count


def keep_watch() -> threading.Thread:
    """Look once a minute, in a thread that ends with the process."""
    thread = threading.Thread(target=_watch_for_ever, name="periodic-watch", daemon=True)
    thread.start()
    return thread


def _watch_for_ever() -> None:
    pause = threading.Event()
    pause.wait(FIRST_LOOK_SECONDS)
    while True:
        look_once()
        pause.wait(LOOK_SECONDS)


def look_once() -> None:
    """Never raises, and keeps no connection to the database."""
    try:
        watch()
    except DatabaseError as error:
        logger.warning("The periodic tasks could not be looked at: %s", error)
    except Exception:
        logger.exception("The periodic tasks could not be looked at")
    finally:
        connection.close()
