"""Connections to the database that outlive a request or a task."""

import pytest
from celery import current_app, shared_task
from celery.app.trace import build_tracer
from django.db import DatabaseError, connection


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


def test_one_failed_task_does_not_make_the_next_one_fail(kept: None) -> None:
    cut()
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT 1")

    assert isinstance(run_as_a_worker_does(), int)


def test_a_workers_tasks_share_a_connection_that_works(kept: None) -> None:
    assert run_as_a_worker_does() == run_as_a_worker_does()


def test_a_connection_gives_up_on_a_host_that_vanishes(db: None) -> None:
    """It closes nothing then: only what the kernel is asked to look for ends the wait for an answer."""
    connection.ensure_connection()
    asked = connection.connection.info.get_parameters()
    assert {name: asked.get(name) for name in asked if name.startswith(("keepalives_", "tcp_"))} == {
        "keepalives_idle": "10",
        "keepalives_interval": "3",
        "keepalives_count": "3",
        "tcp_user_timeout": "15000",
    }
