"""A statement that is run by its name does what it does over a cursor."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import OperationalError, errors
from psycopg.types.numeric import Int8

from apps.common import kept_cursor, prepared
from apps.common.prepared import Prepared

pytestmark = pytest.mark.django_db(transaction=True)

LOCK = 70_727_064
VALUES: dict[str, Any] = {
    "text": "Zoë %s",
    "number": Int8(7),
    "nothing": None,
    "instant": datetime(2026, 11, 20, 12, tzinfo=UTC),
    "day": date(2026, 11, 20),
    "token": UUID(int=7),
    "list": ["a", "b"],
    "flag": True,
}
ALL = (
    "SELECT %(text)s::text, %(number)s::bigint, %(nothing)s::text, %(instant)s::timestamptz, %(day)s::date, %(token)s::uuid,"
    " %(list)s::text[], %(flag)s::bool, %(text)s::text, 5 %% 3"
)


@pytest.fixture
def ours() -> Iterator[Prepared]:
    """On a connection that knows no statement yet."""
    connection.close()
    connection.ensure_connection()
    yield Prepared(connection.connection)
    connection.close()


def first_row(ours: Prepared, statement: str, parameters: Any = ()) -> Any:
    done = ours.run(statement, parameters)
    assert done is not None
    return done.fetchone()


def names() -> int:
    """How many statements PostgreSQL has prepared for us by names of our own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'own%%'")
        (found,) = cursor.fetchone()
    return int(found)


def test_values_come_and_go_as_over_a_cursor(ours: Prepared) -> None:
    with connection.cursor() as cursor:
        cursor.execute(ALL, VALUES)
        assert first_row(ours, ALL, VALUES) == cursor.fetchone()
    assert first_row(ours, "SELECT %s::int + 1, %s::text", [1, "b"]) == (2, "b")
    assert first_row(ours, "SELECT 1 WHERE false") is None


def test_a_statement_is_prepared_once_for_its_types(ours: Prepared) -> None:
    for value in (Int8(1), Int8(2), None, Int8(3)):
        assert first_row(ours, "SELECT %s::bigint", [value]) == (value,)
    assert names() == len({"bigint", "nothing"})


def test_a_connection_that_is_taken_up_again_may_still_know_statements(ours: Prepared) -> None:
    assert first_row(ours, "SELECT 1") == (1,)
    assert first_row(Prepared(connection.connection), "SELECT 2") == (2,)
    assert first_row(ours, "SELECT 3") == (3,)
    assert names() == 3


def test_no_more_are_prepared_than_may_be(ours: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MOST", 2)
    assert [ours.run(f"SELECT {number}", []) is None for number in range(4)] == [False, False, True, True]
    assert first_row(ours, "SELECT 1") == (1,)
    assert names() == 2


def test_what_was_written_is_counted_and_committed(ours: Prepared) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE kept (n int)")
    done = ours.run("INSERT INTO kept SELECT generate_series(1, %s::int)", [3])
    assert done is not None
    assert (done.rowcount, done.fetchone(), done.fetchall()) == (3, None, [])
    connection.connection.rollback()
    assert first_row(ours, "SELECT count(*) FROM kept") == (3,)


def test_inside_a_transaction_a_cursor_does_it(ours: Prepared) -> None:
    with transaction.atomic():
        assert ours.run("SELECT 1", []) is None


def test_where_nothing_may_be_prepared_a_cursor_does_it(ours: Prepared) -> None:
    connection.connection.prepare_threshold = None
    assert Prepared(connection.connection).run("SELECT 1", []) is None
    assert names() == 0


def test_what_the_server_has_forgotten_is_prepared_anew(ours: Prepared) -> None:
    assert first_row(ours, "SELECT %s::int", [1]) == (1,)
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
    assert first_row(ours, "SELECT %s::int", [2]) == (2,)
    assert names() == 1


def test_errors_are_those_of_psycopg_and_spoil_nothing(ours: Prepared) -> None:
    with pytest.raises(errors.DivisionByZero):
        ours.run("SELECT 1 / %s::int", [0])
    with pytest.raises(errors.SyntaxError):
        ours.run("SELECTED", [])
    assert first_row(ours, "SELECT 1 / %s::int", [1]) == (1,)


def test_a_violated_constraint_is_told_by_its_name() -> None:
    write = """
    INSERT INTO suppliers_simulatedwrite (product, kind, client_ref, reference, sequence, record, created_at)
    SELECT 'hotels', 'book', 'F-1', number::text, 0, '{}', now() FROM generate_series(1, %s::int) number
    """
    with pytest.raises(IntegrityError, match="simulated_write_client_ref"):
        kept_cursor.rows_changed(write, [2])


@pytest.mark.parametrize("prepared_before", [True, False])
def test_a_lost_connection_is_told_as_such(ours: Prepared, prepared_before: bool) -> None:
    (backend,) = first_row(ours, "SELECT pg_backend_pid()")
    if prepared_before:
        first_row(ours, "SELECT 1")
    with connection.copy().cursor() as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
        other.db.close()
    for _ in range(2):  # what PostgreSQL said as it ended the session, then nothing
        with pytest.raises(OperationalError):
            ours.run("SELECT 1", [])
    assert connection.connection.closed


def test_other_threads_run_while_one_waits_for_postgresql(ours: Prepared) -> None:
    """It waits for a lock that only another thread can let go of."""
    other = connection.copy()
    taken: list[object] = []
    waiting = threading.Thread(target=lambda: taken.append(ours.run(f"SELECT pg_advisory_lock({LOCK})", [])))
    with other.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_lock({LOCK})")
        waiting.start()
        give_up = time.monotonic() + 60
        while not waits_for_lock(cursor):
            assert time.monotonic() < give_up
        assert taken == []
        cursor.execute(f"SELECT pg_advisory_unlock({LOCK})")
    waiting.join(60)
    other.close()
    assert len(taken) == 1


def waits_for_lock(cursor: CursorWrapper) -> bool:
    cursor.execute(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted", [LOCK]
    )
    return bool(cursor.fetchone()[0])
