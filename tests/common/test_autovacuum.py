"""A table that is vacuumed is waited for, without keeping a call waiting."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection

from apps.accounts.models import Account
from apps.common.autovacuum import end_autovacuum
from tests.factories.accounts import AccountFactory
from tests.support.stack import test_database_url as database_url

pytestmark = pytest.mark.django_db(transaction=True)
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'ShareUpdateExclusiveLock'"


@contextmanager
def vacuumed(table: str) -> Iterator[psycopg.Connection]:
    """Somebody holds VACUUM's lock on it."""
    with psycopg.connect(database_url()) as other:
        other.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")
        yield other


def test_nothing_is_done_where_nothing_is_vacuumed() -> None:
    assert end_autovacuum(connection) == []


def test_who_does_not_give_way_is_left_alone() -> None:
    with vacuumed("accounts_account"):
        assert end_autovacuum(connection, patience_ms=20) == []


def test_the_table_is_waited_for_and_calls_go_on_meanwhile() -> None:
    account = AccountFactory()

    def waits() -> list[str]:
        try:
            return end_autovacuum(connection, patience_ms=60_000)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as migrations, vacuumed("accounts_account") as other:
        waiting = migrations.submit(waits)
        while other.execute(WAITING).fetchone() != (1,):
            assert not waiting.done()
        assert Account.objects.filter(pk=account.pk).update(name="Changed meanwhile") == 1
        other.rollback()
        assert waiting.result() == ["public.accounts_account"]
