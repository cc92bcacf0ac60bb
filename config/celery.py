"""The Celery application. Messages only wake a sweep; the work itself is found in PostgreSQL."""

import gc
import os
from datetime import datetime
from importlib import import_module

from celery import Celery, Task
from celery.signals import task_prerun, worker_before_create_process
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery would run Django's checks, of pages too, and throw away what they say. `manage.py check` says it.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")


class SteadyTask(Task):  # type: ignore[misc]  # the library has no types
    Request = "apps.common.message_expiry:SteadyRequest"  # by name: only a worker needs it


class Application(Celery):  # type: ignore[misc]
    """Its messages expire by PostgreSQL's clock, whatever the hosts' clocks say that write and read them (reliability T3)."""

    task_cls = SteadyTask

    def now(self) -> datetime:
        from apps.common.steady_clock import steady_now

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
