"""PostgreSQL's part of a trace: a span for each statement and each COMMIT, named by what it does, without a parameter."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from apps.common.tracing import spans
from apps.common.tracing.spans import CLIENT, Span

LONGEST = 255
NAMED = 1_024
"""Statements whose names are remembered: ours by hand, and those that the ORM writes most."""
PART = re.compile(
    r"\b(?:(INSERT)\s+INTO|(UPDATE)|(DELETE)\s+FROM|(?:FROM|JOIN))\s+\"?([a-z_]+_[a-z_]+)\"?(?=[\s;)]|$)"
)
FIRST_WORD = re.compile(r"\s*(?:/\*.*?\*/\s*)*([A-Za-z]+)")


def watch() -> None:
    """From the next connection on."""
    connection_created.connect(_watch_connection, dispatch_uid="tracing.statements")


def _watch_connection(connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    if _traced not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, _traced)
        commit = connection._commit  # type: ignore[attr-defined]
        connection._commit = lambda: _committed(commit)  # type: ignore[attr-defined]


def _traced(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """One statement of a cursor of Django's."""
    return spans.carry_out(begin(sql), execute, sql, params, many, context)


def _committed(commit: Callable[[], None]) -> None:
    spans.carry_out(_begin("COMMIT") if spans.current() else None, commit)


def begin(sql: object) -> Span | None:
    """The span of a statement that is about to be sent; None where nothing is recorded."""
    return _begin(name_of(sql) if isinstance(sql, str) else "statement") if spans.current() else None


def _begin(name: str) -> Span | None:
    span = spans.begin(name, CLIENT)
    if span is not None:
        span.attributes = {"db.system.name": "postgresql", "db.query.summary": name}
    return span


@lru_cache(NAMED)
def name_of(sql: str) -> str:
    """What a statement does to which tables: `INSERT bookings_booking, UPDATE ledger_wallet`, or what it reads.

    All tables have an underscore in their names. Parts of a statement that it names itself are no tables.
    """
    own = set(re.findall(r"\b(\w+)(?: \([\w, ]+\))? AS (?:MATERIALIZED )?\(", sql))
    done: list[str] = []
    read: list[str] = []
    for found in PART.finditer(sql):
        *verbs, table = found.groups()
        verb = next(filter(None, verbs), None)
        if table not in own:
            (done if verb else read).append(f"{verb or 'SELECT'} {table}")
    names = list(dict.fromkeys(done or read))
    if not names and (first := FIRST_WORD.match(sql)):
        names = [first[1].upper()]
    return ", ".join(names)[:LONGEST]
