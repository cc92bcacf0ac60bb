"""The Celery application. Messages only wake a sweep; the work itself is found in PostgreSQL."""

import gc
import os
from datetime import datetime
from functools import cache
from importlib import import_module
from threading import BoundedSemaphore
from typing import Any

from celery import Celery, Task
from celery.exceptions import Ignore
from celery.signals import task_prerun, worker_before_create_process
from django.conf import settings
from django.db import connection

from config.background import QUEUES, ROUTES

OFTEN_SECONDS = 60
PUT_OFF_SECONDS = 15

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery would run Django's checks, of pages too, and drop their messages. `manage.py check` prints them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")


class SweepTask(Task):  # type: ignore[misc]  # the library has no types
    """Each kind of task that waits (config.background.QUEUES) has a third of a process's threads at most.

    A run that finds them taken ends at once, because the next run does its work. One that beat calls less often than once a
    minute is put off instead.
    """

    Request = "apps.common.message_expiry:SteadyRequest"  # by name: only a worker needs it

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.request.called_directly:
            return super().__call__(*args, **kwargs)
        from apps.gateway import periodic

        share = share_of(ROUTES.get(self.name, {}).get("queue", ""))
        if share is not None and not share.acquire(blocking=False):
            task = periodic.periodic_tasks().get(self.name)
            if task is None or task.seconds <= OFTEN_SECONDS:
                raise Ignore
            raise self.retry(countdown=PUT_OFF_SECONDS, max_retries=None)
        try:
            periodic.begins(self.name)
            return self.run(*args, **kwargs)
        finally:
            if share is not None:
                share.release()


@cache
def share_of(queue: str) -> BoundedSemaphore | None:
    """The threads that tasks of this queue may have in this process. None: as many as there are."""
    return BoundedSemaphore(max(1, settings.NETWORK_THREADS // len(QUEUES))) if queue in QUEUES else None


class Application(Celery):  # type: ignore[misc]
    """Its messages expire by PostgreSQL's clock, whatever the hosts' clocks say that write and read them (reliability T3)."""

    task_cls = SweepTask

    def now(self) -> datetime:
        from apps.common.clock import steady_now

        return steady_now()


app = Application("travel_partner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def keep_pages_shared(**kwargs: object) -> None:
    """A worker's processes share what it has imported, as long as no collection touches it.

    For the first of them only: what is there when another takes the place of a dead one may be garbage soon.
    """
    if not _frozen:
        _frozen.append(True)
        import_module("cffi.cparser")  # billiard's, for each process at its birth: 5 MB
        gc.freeze()


def close_lost_connection(sender: Task, **kwargs: object) -> None:
    """Celery keeps a connection for CELERY_DB_REUSE_MAX tasks, even one that a restart of PostgreSQL has cut."""
    if not sender.request.is_eager and not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


_frozen: list[bool] = []
worker_before_create_process.connect(keep_pages_shared)
task_prerun.connect(close_lost_connection)
