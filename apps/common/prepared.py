"""Statements written by hand, prepared once for a connection and then run by their names, as libpq does it.

psycopg's cursor prepares statements, too, but decides each time anew how to send one: that costs this process twice as much as
what is done here. Only outside of a transaction, which psycopg would begin, and only where prepared statements may be
used (`DATABASE_PREPARED_STATEMENTS`).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

from psycopg import Connection, OperationalError
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult

Row = tuple[Any, ...]
Parameters = Mapping[str, Any] | Sequence[Any]
Key = tuple[bytes, tuple[int, ...]]
"""A statement and the types of its parameters."""

PLACE = re.compile(r"%\((\w+)\)s|%s|%%")
MOST = 200
"""Statements that are prepared for a connection; of types that differ, one is several. PostgreSQL keeps a plan of each."""
UNKNOWN_NAME = b"26000"
"""PostgreSQL has forgotten the statement: psycopg drops all that are prepared after a rollback. Nothing was carried out."""
DONE = frozenset({ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK})
_numbers = count()
"""Of the names. The process counts: a connection that was put aside and is used again still knows its statements."""


class Done:
    """What a statement came to, in the words of a cursor."""

    __slots__ = ("_result", "_transformer")

    def __init__(self, result: PGresult, transformer: Any) -> None:
        self._result, self._transformer = result, transformer

    @property
    def rowcount(self) -> int:
        return self._result.command_tuples or 0

    def fetchone(self) -> Row | None:
        """The first row."""
        if not self._result.ntuples:
            return None
        self._transformer.set_pgresult(self._result)
        row: Row | None = self._transformer.load_row(0, tuple)
        return row

    def fetchall(self) -> list[Row]:
        self._transformer.set_pgresult(self._result)
        rows: list[Row] = self._transformer.load_rows(0, self._result.ntuples, tuple)
        return rows


class Prepared:
    """The statements of one connection. For one thread at a time, as the connection is."""

    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection
        self._pgconn = connection.pgconn
        self._may_prepare = connection.prepare_threshold is not None
        self._transformer: Any = Transformer(connection)
        self._names: dict[Key, bytes] = {}

    def run(self, statement: str, parameters: Parameters) -> Done | None:
        """Carries the statement out, once. None where that is left to a cursor, and nothing was done. Raises psycopg's errors."""
        if not self._may_prepare or not self._connection.autocommit:
            return None
        sql, names = _read(statement)
        is_named = type(parameters) is dict or isinstance(
            parameters, Mapping
        )  # most are: no protocol is asked
        given = [parameters[name] for name in names] if is_named else parameters  # type: ignore[call-overload]
        transformer = self._transformer
        values = transformer.dump_sequence(given, [PyFormat.AUTO] * len(given))
        key = sql, transformer.types or ()
        name = self._names.get(key) or self._prepared(key)
        if name is None:
            return None
        try:
            result = self._pgconn.exec_prepared(name, values, transformer.formats)
            if result.status in DONE:
                return Done(result, transformer)
            if result.error_field(DiagnosticField.SQLSTATE) == UNKNOWN_NAME:
                self._names.clear()
                result = self._pgconn.exec_prepared(self._prepared(key) or name, values, transformer.formats)
        except MemoryError:
            raise self._lost() from None
        return Done(self._checked(result), transformer)

    def _prepared(self, key: Key) -> bytes | None:
        """The name of a statement that is prepared now; None where no more are."""
        if len(self._names) >= MOST:
            return None
        name = b"own_%d" % next(_numbers)
        try:
            self._checked(self._pgconn.prepare(name, *key))
        except MemoryError:
            raise self._lost() from None
        self._names[key] = name
        return name

    def _checked(self, result: PGresult) -> PGresult:
        if result.status in DONE:
            return result
        if result.error_field(DiagnosticField.SQLSTATE) is None:
            raise self._lost()
        raise error_from_result(result)

    def _lost(self) -> OperationalError:
        """The connection is gone: libpq then gives no result, which psycopg takes for a lack of memory, or one without a code."""
        return OperationalError(self._pgconn.get_error_message())


@lru_cache(maxsize=MOST)
def _read(statement: str) -> tuple[bytes, tuple[str, ...]]:
    """The statement as PostgreSQL reads it, and the names of its parameters in the order of their numbers."""
    numbers: dict[str, int] = {}

    def put(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return "%"
        return f"${numbers.setdefault(place[1] or str(len(numbers)), len(numbers) + 1)}"

    return PLACE.sub(put, statement).encode(), tuple(numbers)
