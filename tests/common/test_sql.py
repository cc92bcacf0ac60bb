"""What statements written by hand return, and what they are part of."""

from contextlib import AbstractContextManager, nullcontext

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.common.sql import LongStatement, one_row, relaxed_commit, rows_changed, savepoint

pytestmark = pytest.mark.django_db(transaction=True)


WRITE = """
INSERT INTO suppliers_simulatedwrite (product, kind, client_ref, reference, sequence, record, created_at)
SELECT 'hotels', 'book', ref, ref, 0, '{}', now() FROM unnest(%s::text[]) ref
"""


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


@pytest.mark.parametrize(
    "observed", [nullcontext(), CaptureQueriesContext(connection)], ids=["raw", "logged"]
)
def test_a_long_statement_takes_its_parameters_by_name_wherever_and_however_often_they_stand(
    observed: AbstractContextManager[object],
) -> None:
    statement = LongStatement("SELECT %(second)s::int - %(first)s::int, %(second)s::int")
    with observed:
        assert one_row(statement, {"first": 2, "second": 5, "other": 7}) == (3, 5)
        with pytest.raises(IntegrityError), savepoint():
            one_row(LongStatement(WRITE.replace("%s", "%(refs)s")), {"refs": ["one", "one"]})
