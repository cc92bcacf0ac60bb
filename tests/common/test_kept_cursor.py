"""Over the cursor that a thread keeps, a statement does what it does over one of Django's."""

import pytest
from django.db import DataError, IntegrityError, OperationalError, connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from apps.common import kept_cursor
from apps.common.kept_cursor import all_rows, one_row, rows_changed
from apps.suppliers.models import SimulatedWrite
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)

WRITE = """
INSERT INTO suppliers_simulatedwrite (product, kind, client_ref, reference, sequence, record, created_at)
SELECT 'hotels', 'book', ref, ref, 0, '{}', now() FROM unnest(%s::text[]) ref
"""
BACKEND = "SELECT pg_backend_pid()"


def test_it_returns_the_first_row_or_none():
    assert one_row("SELECT %(a)s::int, 'b'", {"a": 1}) == (1, "b")
    assert one_row("SELECT n FROM generate_series(1, 3) n", []) == (1,)
    assert one_row("SELECT 1 WHERE %s::int > 1", [1]) is None


def test_it_returns_every_row():
    assert all_rows("SELECT n, 'b' FROM generate_series(1, %s) n", [2]) == [(1, "b"), (2, "b")]
    assert all_rows("SELECT 1 WHERE %s::int > 1", [1]) == []
    with transaction.atomic():  # where a cursor carries it out
        assert all_rows("SELECT n FROM generate_series(1, %s) n", [2]) == [(1,), (2,)]


def test_it_counts_what_was_written():
    assert rows_changed(WRITE, [["one", "two"]]) == 2
    assert rows_changed(WRITE, [[]]) == 0
    assert SimulatedWrite.objects.count() == 2


def test_it_keeps_one_cursor_for_a_connection():
    one_row("SELECT 1", [])
    kept = kept_cursor._kept.cursor
    one_row("SELECT 2", [])
    assert kept_cursor._kept.cursor is kept

    connection.close()
    assert one_row("SELECT 3", []) == (3,)
    assert kept_cursor._kept.cursor is not kept


def test_each_thread_has_its_own():
    def ask() -> int:
        found = [one_row(BACKEND, []) for _ in range(20)]
        connection.close()
        assert len(set(found)) == 1
        return found[0][0] if found[0] else 0

    assert len(set(all_at_once([ask] * 4))) == 4


def test_it_is_part_of_the_transaction_around_it():
    with transaction.atomic():
        assert rows_changed(WRITE, [["one"]]) == 1
        transaction.set_rollback(True)
    assert not SimulatedWrite.objects.exists()


def test_the_drivers_errors_are_djangos_and_the_cursor_outlives_them():
    with pytest.raises(DataError) as caught:
        one_row("SELECT 1 / %s::int", [0])
    assert caught.value.__cause__ is not None
    with pytest.raises(IntegrityError):
        rows_changed(WRITE, [["one", "one"]])
    assert one_row("SELECT 1", []) == (1,)


def test_a_transaction_that_failed_takes_no_further_statement():
    with transaction.atomic():
        with pytest.raises(DataError), transaction.atomic():
            one_row("SELECT 1 / %s::int", [0])
        assert one_row("SELECT 1", []) == (1,)
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            one_row("SELECT 1", [])


def test_who_looks_at_statements_sees_these():
    seen = []

    def look(execute, sql, params, many, context):
        seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look), CaptureQueriesContext(connection) as captured:
        assert one_row("SELECT %s::int", [1]) == (1,)

    assert seen == ["SELECT %s::int"]
    assert [query["sql"] for query in captured] == ["SELECT 1::int"]


def test_a_connection_that_was_lost_fails_one_statement_and_is_opened_anew():
    row = one_row(BACKEND, [])
    assert row is not None
    with connection.copy().cursor() as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", row)
        other.db.close()

    with pytest.raises(OperationalError):
        one_row("SELECT 1", [])
    assert connection.errors_occurred
    connection.close_if_unusable_or_obsolete()  # as at the end of every request

    assert one_row("SELECT 1", []) == (1,)
