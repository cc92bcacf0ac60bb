"""SQL written by hand, for the few statements that the ORM cannot write (docs/decisions.md#some-sql-by-hand)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import RawCursor

from apps.common import tracing

Row = tuple[Any, ...]
Parameters = Mapping[str, Any] | Sequence[Any]

RELAX = "set_config('synchronous_commit', 'off', true)"
"""As a column of a single statement: relaxes that statement's own commit.

Only for a commit that a durable one of the same request follows before a partner or a supplier learns of anything. PostgreSQL
writes its log in order, so the later commit makes the earlier one durable: docs/decisions.md, commits that do not wait.
"""

RELAX_UNLESS = "set_config('synchronous_commit', CASE WHEN %s THEN current_setting('synchronous_commit') ELSE 'off' END, true)"
"""The same, unless an SQL condition holds."""


PARAMETER = re.compile(r"%\((\w+)\)s")


class LongStatement:
    """A statement of more than 4,096 characters, beyond which psycopg looks for the `%(names)s` again with every execution.

    They are numbered here once, for psycopg's raw cursor, which sends text and parameters as they are.
    """

    def __init__(self, text: str) -> None:
        self.named = text
        self.names = tuple(dict.fromkeys(PARAMETER.findall(text)))
        numbers = {name: f"${number}" for number, name in enumerate(self.names, 1)}
        self.numbered = PARAMETER.sub(lambda found: numbers[found[1]], text)


def one_row(statement: str | LongStatement, parameters: Parameters = ()) -> Row | None:
    if isinstance(statement, LongStatement):
        return _row_of_long(statement, parameters)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: Row | None = cursor.fetchone()
        return row


def _row_of_long(statement: LongStatement, parameters: Parameters) -> Row | None:
    """Traces and the log of statements (`connection.queries`) only know Django's own cursor."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.queries_logged or tracing.is_on() or not isinstance(parameters, Mapping):
        return one_row(statement.named, parameters)
    database.ensure_connection()
    with CursorWrapper(RawCursor(database.connection), database) as cursor:
        cursor.execute(statement.numbered, [parameters[name] for name in statement.names])
        row: Row | None = cursor.fetchone()
        return row


def all_rows(statement: str, parameters: Parameters = ()) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Row] = cursor.fetchall()
        return rows


def rows_changed(statement: str, parameters: Parameters = ()) -> int:
    """Execute a statement. Returns how many rows it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)


@contextmanager
def relaxed_commit() -> Iterator[None]:
    """A transaction that does not wait for the disk, on the condition of `RELAX`."""
    with transaction.atomic():
        one_row(f"SELECT {RELAX}")
        yield


def savepoint() -> AbstractContextManager[None]:
    """Around one statement that may fail where its caller continues: a savepoint inside a transaction, else nothing.

    A statement is a transaction by itself; BEGIN and COMMIT would be two more round trips.
    """
    return transaction.atomic() if connection.in_atomic_block else nullcontext()


@contextmanager
def one_snapshot() -> Iterator[None]:
    """What is read within sees the database as of the first statement, whatever others commit meanwhile. Nothing is written.

    Inside a transaction that is open already, that one's own view holds: its isolation cannot be chosen any more.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
