from collections.abc import Callable, Iterator

import pytest
from celery import current_app, shared_task
from celery.app.trace import build_tracer
from django.core.signals import request_finished, request_started
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.common import connections


@pytest.fixture
def checked(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Whether a request's first statement was preceded by a health check."""
    monkeypatch.setattr(connections, "_seen", connections._Seen())  # nothing of an earlier test
    connection.ensure_connection()
    connection.health_check_enabled = True  # type: ignore[attr-defined]
    connection.close_at = None  # kept open, as in production
    connection.errors_occurred = False  # of an earlier test

    def request() -> bool:
        # As at a request's start, in its order; Django's test client changes the order of the receivers.
        connection.close_if_unusable_or_obsolete()
        connections.trust_if_fresh()
        asked = not connection.health_check_done  # type: ignore[attr-defined]
        with CaptureQueriesContext(connection), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return asked

    return request


def finish() -> None:
    # Django closes connections at a request's end in tests; only our own part is wanted here.
    connections.note_alive()


def test_a_connection_that_was_alive_a_moment_ago_is_not_asked(
    checked: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TRUSTED_SECONDS", 60.0)
    finish()
    connection.health_check_done = False  # type: ignore[attr-defined]
    assert not checked()


def test_a_connection_idle_for_longer_is_asked(
    checked: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    finish()
    monkeypatch.setattr(connections, "TRUSTED_SECONDS", 0.0)
    connection.health_check_done = False  # type: ignore[attr-defined]
    assert checked()


def test_a_connection_that_failed_is_asked(checked: Callable[[], bool]) -> None:
    connection.errors_occurred = True
    finish()
    connection.errors_occurred = False
    connection.health_check_done = False  # type: ignore[attr-defined]
    assert checked()


def test_a_request_that_asks_the_database_nothing_says_nothing_of_its_connection(
    checked: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart of PostgreSQL a request for a page of ours would otherwise make the next one fail."""
    monkeypatch.setattr(connections, "TRUSTED_SECONDS", 60.0)
    monkeypatch.setattr(connections, "_seen", connections._Seen())
    connections._seen.alive_at = -60.0
    connection.close_if_unusable_or_obsolete()
    connections.trust_if_fresh()
    finish()
    assert checked()


def test_a_request_that_asked_its_connection_spares_the_next_one(
    checked: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through Django's signal, whose other receiver forgets that the connection was asked."""
    monkeypatch.setattr(connections, "TRUSTED_SECONDS", 60.0)
    monkeypatch.setattr(connections, "_seen", connections._Seen())
    connections._seen.alive_at = -60.0
    assert checked()

    request_finished.send(sender=None)

    assert not checked()


def test_both_ends_of_a_request_are_watched() -> None:
    receivers = {key[0] for key, *_ in [*request_started.receivers, *request_finished.receivers]}
    assert {"connections.trust_if_fresh", "connections.note_alive"} <= receivers


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


@pytest.fixture
def taken_over(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a web process; afterwards as it was."""
    monkeypatch.setattr(connections, "is_taken_over", False)
    before = [(signal, list(signal.receivers)) for signal in (request_started, request_finished)]
    connection.ensure_connection()
    connection.health_check_enabled = True  # type: ignore[attr-defined]
    connection.close_at, connection.errors_occurred = None, False
    connections.take_over()
    yield
    for signal, receivers in before:
        signal.receivers[:] = receivers
        signal.sender_receivers_cache.clear()


def ask() -> bool:
    """One request with a statement; whether its connection was asked first."""
    request_started.send(sender=None)
    asked = not connection.health_check_done  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    request_finished.send(sender=None)
    return asked


def test_a_web_process_has_one_receiver_for_each_end_of_a_request(taken_over: None) -> None:
    assert [len(request_started.receivers), len(request_finished.receivers)] == [1, 1]


def test_a_web_process_asks_its_connection_once_in_a_while(
    taken_over: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TRUSTED_SECONDS", 60.0)
    monkeypatch.setattr(connections, "_seen", connections._Seen())
    connections._seen.alive_at = -60.0

    assert [ask() for _ in range(4)] == [True, False, False, False]


def test_a_web_process_replaces_a_connection_that_was_lost(taken_over: None) -> None:
    ask()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (lost,) = cursor.fetchone()
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [lost])
    request_finished.send(sender=None)

    ask()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone() != (lost,)


def test_a_web_process_leaves_no_transaction_open(taken_over: None) -> None:
    request_started.send(sender=None)
    transaction.set_autocommit(False)
    request_finished.send(sender=None)

    assert connection.connection is None


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
