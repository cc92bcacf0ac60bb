"""What statements written by hand return, and what they are part of."""

import pytest
from django.db import IntegrityError, connection, transaction

from apps.common.sql import all_rows, one_row, relaxed_commit, rows_changed, savepoint
from apps.suppliers.models import SimulatedWrite

pytestmark = pytest.mark.django_db(transaction=True)

WRITE = """
INSERT INTO suppliers_simulatedwrite (product, kind, client_ref, reference, sequence, record, created_at)
SELECT 'hotels', 'book', ref, ref, 0, '{}', now() FROM unnest(%s::text[]) ref
"""


def test_it_returns_the_first_row_or_none() -> None:
    assert one_row("SELECT %(a)s::int, 'b'", {"a": 1}) == (1, "b")
    assert one_row("SELECT n FROM generate_series(1, 3) n") == (1,)
    assert one_row("SELECT 1 WHERE %s::int > 1", [1]) is None


def test_it_returns_every_row() -> None:
    assert all_rows("SELECT n, 'b' FROM generate_series(1, %s) n", [2]) == [(1, "b"), (2, "b")]
    assert all_rows("SELECT 1 WHERE %s::int > 1", [1]) == []


def test_it_counts_what_was_written() -> None:
    assert rows_changed(WRITE, [["one", "two"]]) == 2
    assert rows_changed(WRITE, [[]]) == 0
    assert SimulatedWrite.objects.count() == 2


def test_a_relaxed_commit_waits_for_no_disk_and_the_next_one_does() -> None:
    connection.close()  # the tests' own setting would hide the difference
    rows_changed("SET synchronous_commit TO on")
    with relaxed_commit():
        assert one_row("SHOW synchronous_commit") == ("off",)
    assert one_row("SHOW synchronous_commit") == ("on",)
    connection.close()


@pytest.mark.parametrize("in_transaction", [True, False])
def test_a_statement_that_fails_leaves_its_caller_to_go_on(in_transaction: bool) -> None:
    with transaction.atomic() if in_transaction else savepoint():
        with pytest.raises(IntegrityError), savepoint():
            rows_changed(WRITE, [["one", "one"]])
        assert rows_changed(WRITE, [["two"]]) == 1
        assert connection.in_atomic_block is in_transaction
