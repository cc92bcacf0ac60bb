"""Emptying the database after a test that committed: only the tables that hold something, most by DELETE.

Django truncates every table there is, which makes each of them and its indexes anew: half a second a test, where a handful of
rows is to go. Contenttypes and permissions stay, so that nobody has to fill them again.
"""

from functools import cache

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

KEPT = {"django_content_type", "auth_permission"}
GUARDED = "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE tgenabled = 'A'"

_as_django_does = TransactionTestCase._fixture_teardown


def empty_quickly(case: TransactionTestCase) -> None:
    """In place of `TransactionTestCase._fixture_teardown`, for our one database."""
    with connection.cursor() as cursor:
        if not _may_switch_triggers_off(cursor):
            _as_django_does(case)
            return
        filled = _filled(cursor)
    if not filled:
        return
    guarded = guarded_tables()
    with transaction.atomic(), connection.cursor() as cursor:
        # Constraints are triggers too: what refers to a row goes with it, in whatever order.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table in filled - guarded:
            cursor.execute(f"DELETE FROM {table}")
        if filled & guarded:
            cursor.execute(f"TRUNCATE {', '.join(sorted(guarded))}")


def keep_autovacuum_out() -> None:
    """A table that it finds empty between two tests is planned for as empty in the next one, whatever that writes."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")


@cache
def guarded_tables() -> frozenset[str]:
    """Those whose rows the database lets nobody delete, in whatever session: they can only be truncated."""
    with connection.cursor() as cursor:
        cursor.execute(GUARDED)
        return frozenset(name for (name,) in cursor.fetchall())


@cache
def _look_into_all() -> str:
    names = sorted({*connection.introspection.django_table_names(include_views=False)} - KEPT)
    return " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in names)


def _filled(cursor: CursorWrapper) -> set[str]:
    cursor.execute(_look_into_all())
    return {name for (name,) in cursor.fetchall()}


def _may_switch_triggers_off(cursor: CursorWrapper) -> bool:
    cursor.execute("SHOW is_superuser")
    return bool(cursor.fetchone() == ("on",))
