"""Emptying the database after a test that committed: only the tables that hold something, by DELETE.

Django truncates every table there is, which makes each of them and its indexes anew: half a second a test, where a handful of
rows is to go. Contenttypes and permissions stay, so that nobody has to fill them again.

Some tables are guarded: triggers that fire in whatever session let nobody remove a row. Their owner switches those off for
as long as it takes.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from django.db import DEFAULT_DB_ALIAS, ProgrammingError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

KEPT = {"django_content_type", "auth_permission"}
GUARDS = "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE tgenabled = 'A' ORDER BY 1, 2"

_as_django_does = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]


def empty_quickly(case: TransactionTestCase) -> None:
    """In place of `TransactionTestCase._fixture_teardown`, for our one database, whatever became of the connection to it."""
    if connection.connection is not None and not connection.is_usable():
        connection.close()
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


def leave_one_connection(case: TransactionTestCase) -> bool:
    """In place of `TransactionTestCase._should_reload_connections`. Returns False: what had to be closed is closed.

    A new connection reads the whole catalogue anew. The next test goes on with this one, as tests without commits do, unless it
    is lost or stands in the midst of something.
    """
    for one in connections.all(initialized_only=True):
        if one.alias != DEFAULT_DB_ALIAS or not _goes_on(one):
            one.close()
    return False


def _goes_on(one: BaseDatabaseWrapper) -> bool:
    """After the database was emptied over it. One of an event loop, which playwright keeps in this thread, ends with the test:
    Django has another one once the loop is over.
    """
    return one.connection is not None and bool(one.get_autocommit()) and asyncio._get_running_loop() is None


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


def keep_plan_of_look() -> None:
    """Planning a look into all tables takes longer than looking: a function keeps its plan for as long as the connection lives.

    Not for guarded tables: the plan would be thrown away whenever their guards are switched off.
    """
    unguarded = _look_into({*_names()} - guards().keys())
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA IF NOT EXISTS tests")
        cursor.execute(
            "CREATE OR REPLACE FUNCTION tests.filled() RETURNS SETOF text LANGUAGE plpgsql AS "
            f"$$ BEGIN RETURN QUERY {unguarded}; END $$"
        )


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
def _names() -> list[str]:
    return sorted({*connection.introspection.django_table_names(include_views=False)} - KEPT)


def _filled(cursor: CursorWrapper) -> set[str]:
    guarded = sorted(guards().keys() & {*_names()})
    cursor.execute(
        "SELECT tests.filled()" + "".join(f" UNION ALL {_look_into([table])}" for table in guarded)
    )
    return {name for (name,) in cursor.fetchall()}


def _look_into(tables: Iterable[str]) -> str:
    return " UNION ALL ".join(
        f"SELECT '{name}'::text WHERE EXISTS (SELECT FROM {name})" for name in sorted(tables)
    )


@cache
def _may_switch_triggers_off() -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
    except ProgrammingError:  # on a server where nobody gave us the right
        return False
    return True
