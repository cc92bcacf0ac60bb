"""Statements written by hand, over a cursor that each thread keeps for its connection.

A new cursor copies the connection's adapters and looks up the one of every parameter anew: half of what a small statement costs
this process. One that is used again has them. A statement's rows are read before the next one, so no two need a cursor at once.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, methodcaller
from typing import Any

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from apps.common.prepared import Prepared
from apps.common.tracing import spans, statements

Row = tuple[Any, ...]
Parameters = Mapping[str, Any] | Sequence[Any]


class _Kept(threading.local):
    connection: Any = None
    cursor: Any = None
    prepared: Any = None

    def keep(self, connection: Any) -> None:
        self.connection, self.cursor = connection, connection.cursor()
        self.prepared = Prepared(connection)


_kept = _Kept()


def one_row(statement: str, parameters: Parameters) -> Row | None:
    """The first row of what a statement returns; None where it returns none."""
    row: Row | None = _run(statement, parameters, _first_row)
    return row


def all_rows(statement: str, parameters: Parameters) -> list[Row]:
    """What a statement returns."""
    rows: list[Row] = _run(statement, parameters, _every_row)
    return rows


def rows_changed(statement: str, parameters: Parameters) -> int:
    """Carries a statement out. How many rows it wrote."""
    count: int = _run(statement, parameters, _count)
    return count


_first_row, _every_row, _count = methodcaller("fetchone"), methodcaller("fetchall"), attrgetter("rowcount")


def _run(statement: str, parameters: Parameters, result: Callable[[Any], Any]) -> Any:
    """As a cursor of Django's, which is used where somebody wants to see the statements: the checks, then the driver's errors."""
    database = connections[DEFAULT_DB_ALIAS]
    is_looked_at = database.force_debug_cursor or settings.DEBUG  # `queries_logged`, without a call
    if is_looked_at or (database.execute_wrappers and database.execute_wrappers != statements.OURS):
        with database.cursor() as cursor:
            cursor.execute(statement, parameters)
            return result(cursor)
    if not database.health_check_done:  # type: ignore[attr-defined]  # unknown to the stubs
        database.close_if_health_check_failed()
    if database.connection is None:  # asked here, because Django first looks whether this is a coroutine
        database.ensure_connection()
    if database.needs_rollback:
        database.validate_no_broken_transaction()
    try:
        if _kept.connection is not database.connection:
            _kept.keep(database.connection)
        if not spans.is_on or spans.current() is None:
            done = _kept.prepared.run(statement, parameters)
            return result(done if done is not None else _done_by_cursor(statement, parameters))
        return result(spans.carry_out(statements.begin(statement), _done, statement, parameters))
    except psycopg.Error:
        # As Django names it. Entered here alone, because that costs two calls.
        with database.wrap_database_errors:
            raise


def _done(statement: str, parameters: Parameters) -> Any:
    """The statement's result, or the cursor that has it."""
    done = _kept.prepared.run(statement, parameters)
    return done if done is not None else _done_by_cursor(statement, parameters)


def _done_by_cursor(statement: str, parameters: Parameters) -> Any:
    _kept.cursor.execute(statement, parameters)
    return _kept.cursor
