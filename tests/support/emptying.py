"""Emptying the database after a test that committed: only the tables that hold something, by DELETE.

Django truncates every table there is, which makes each of them and its indexes anew: half a second a test, where a handful of
rows is to go. Contenttypes and permissions stay, so that nobody has to fill them again.

Some tables are guarded: triggers that fire in whatever session let nobody remove a row. Their owner switches those off for
as long as it takes.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from django.db import ProgrammingError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

KEPT = {"django_content_type", "auth_permission"}
GUARDS = "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE tgenabled = 'A' ORDER BY 1, 2"

_as_django_does = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]


def empty_quickly(case: TransactionTestCase) -> None:
    """In place of `TransactionTestCase._fixture_teardown`, for our one database."""
    if not _may_switch_triggers_off():
        with connection.cursor() as cursor, unguarded(cursor, guards()):
            _as_django_does(case)
        return
    with connection.cursor() as cursor:
        filled = _filled(cursor)
    if not filled:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        # Constraints are triggers too: what refers to a row goes with it, in whatever order.
        cursor.execute("SET LOCAL session_replication_role = replica")
        with unguarded(cursor, filled & guards().keys()):
            cursor.execute(";".join(f"DELETE FROM {table}" for table in sorted(filled)))


@contextmanager
def unguarded(cursor: CursorWrapper, tables: Iterable[str]) -> Iterator[None]:
    """These tables without their guards, which only their owner can do."""
    each = [(table, guard) for table in sorted(tables) for guard in guards()[table]]
    if each:
        cursor.execute(";".join(f"ALTER TABLE {table} DISABLE TRIGGER {guard}" for table, guard in each))
    try:
        yield
    finally:
        if each:
            cursor.execute(
                ";".join(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}" for table, guard in each)
            )


def keep_autovacuum_out() -> None:
    """A table that it finds empty between two tests is planned for as empty in the next one, whatever that writes."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")


@cache
def guards() -> Mapping[str, list[str]]:
    """The triggers that fire in every session, by their table."""
    found = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(GUARDS)
        for table, guard in cursor.fetchall():
            found[table].append(guard)
    return dict(found)


@cache
def _look_into_all() -> str:
    names = sorted({*connection.introspection.django_table_names(include_views=False)} - KEPT)
    return " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in names)


def _filled(cursor: CursorWrapper) -> set[str]:
    cursor.execute(_look_into_all())
    return {name for (name,) in cursor.fetchall()}


@cache
def _may_switch_triggers_off() -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
    except ProgrammingError:  # on a server where nobody gave us the right
        return False
    return True
