"""What a worker has in memory when its processes are born, and its connections to the database."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from celery import current_app, shared_task
from celery.app.trace import build_tracer
from celery.exceptions import Retry
from django.conf import settings
from django.db import connection

from apps.gateway.periodic import TaskRecord
from config.background import QUEUES
from config.celery import PUT_OFF_SECONDS, app, share_of
from tests.support.stack import ROOT

WORKER = """
import gc, json, sys
from celery.signals import worker_before_create_process
from config.celery import app
app.loader.import_default_modules()
frozen = [gc.get_freeze_count()]
for _ in range(2):
    worker_before_create_process.send(sender=None)
    frozen.append(gc.get_freeze_count())
    kept = [[] for _ in range(1000)]
print(json.dumps([frozen, "config.urls" in sys.modules, "apps.webhooks.tasks" in sys.modules,
                  "cffi.cparser" in sys.modules]))
"""


def test_what_a_worker_has_imported_is_shared_and_no_pages_are_among_it() -> None:
    told = subprocess.run(
        [sys.executable, "-c", WORKER], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    (before, first, second), pages, tasks, parser = json.loads(told.splitlines()[-1])
    assert first - before > 50_000
    assert second == first  # of the later processes' time there may be garbage
    assert (pages, tasks, parser) == (False, True, True)


@pytest.fixture(params=sorted(QUEUES))
def busy_queue(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of a queue whose share of the threads is taken."""
    share = share_of(request.param)
    assert share is not None
    with ExitStack() as held:
        for _ in range(settings.NETWORK_THREADS // 3):
            held.enter_context(share)
        assert not share.acquire(blocking=False)
        yield request.param


OFTEN = {
    "suppliers": "apps.bookings.tasks.recover_operations",
    "webhooks": "webhooks.sweep",
    "long": "apps.bookings.tasks.settle_what_is_owed",
}


@pytest.mark.django_db
def test_a_run_that_finds_the_threads_of_its_kind_taken_ends_and_is_not_recorded(busy_queue: str) -> None:
    app.loader.import_default_modules()
    assert app.tasks[OFTEN[busy_queue]].apply().state == "IGNORED"
    assert not TaskRecord.objects.filter(pk=OFTEN[busy_queue]).exclude(last_run_at=None).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("busy_queue", ["long"], indirect=True)
def test_a_run_of_every_night_is_put_off_until_a_thread_is_free(
    busy_queue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.loader.import_default_modules()
    task, options = app.tasks["apps.ledger.tasks.nightly_check"], []

    def retry(**given: object) -> Retry:
        options.append(given)
        return Retry()

    monkeypatch.setattr(task, "retry", retry)
    assert task.apply().state == "RETRY"
    assert options == [{"countdown": PUT_OFF_SECONDS, "max_retries": None}]


@shared_task(name="tests.ask_the_database")
def ask_the_database() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def run_as_a_worker_does() -> object:
    """What the task returned, or the exception it ended with."""
    return build_tracer(ask_the_database.name, ask_the_database, app=current_app)("an-id", (), {}, {})[0]


@pytest.fixture
def kept(transactional_db: None) -> None:
    """A connection as a worker's process holds it."""
    connection.close()
    connection.ensure_connection()
    connection.close_at = None


def cut() -> None:
    """As a restart of PostgreSQL does."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    other.close()


def test_a_workers_task_opens_a_lost_connection_anew(kept: None) -> None:
    before = run_as_a_worker_does()
    cut()
    after = run_as_a_worker_does()

    assert (type(before), type(after), before == after) == (int, int, False)


def test_a_workers_tasks_share_a_connection_that_works(kept: None) -> None:
    assert run_as_a_worker_does() == run_as_a_worker_does()
