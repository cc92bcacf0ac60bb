from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from tests.factories.accounts import AccountFactory
from tests.support import locks
from tests.support.locks import is_taken, locked

pytestmark = pytest.mark.django_db(transaction=True)


def test_rows_are_in_other_hands_until_the_end_of_the_block() -> None:
    rows = type(AccountFactory()).objects.all()
    with locked(rows):
        assert is_taken(rows)
    assert not is_taken(rows)


def test_a_block_that_waits_for_what_it_holds_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "HELD_SECONDS", 0.1)
    rows = type(AccountFactory()).objects.all()
    with pytest.raises(AssertionError, match="waits for what it holds"), locked(rows), patient():
        rows.update(name="as soon as it is let go")


@contextmanager
def patient() -> Iterator[None]:
    """The other transaction may end late, on a machine that does much else."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '30s'")
        yield
