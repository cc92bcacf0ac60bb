"""What the ORM lacks: the beginning of a text by an index, counts up to a bound, deletion in batches.

The beginning of a text is a range, which an index answers whatever plan was chosen before: a LIKE whose pattern is a parameter is
answered by one only while PostgreSQL plans for that very pattern.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Case, CharField, F, Lookup, Q, QuerySet, Value, When

LAST_CHARACTER = "\U0010ffff"
MOST = 1_000  # rows that are counted
BATCH = 5_000  # rows that one statement deletes: it locks no more than a moment's worth


@CharField.register_lookup
class Begins(Lookup):
    """`external_reference__begins="A-7"`: byte by byte, for an index with `varchar_pattern_ops`, in every collation."""

    lookup_name = "begins"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        left, parameters = self.process_lhs(compiler, connection)
        end = f"{self.rhs}{LAST_CHARACTER}"
        return f"({left} ~>=~ %s AND {left} ~<~ %s)", (*parameters, str(self.rhs), *parameters, end)


def id_begins(field: str, text: str) -> Q:
    """Ids of ours, which are lower-case letters and digits behind a prefix: a range in every collation."""
    begins = text.lower()
    return Q(**{f"{field}__gte": begins, f"{field}__lte": begins.ljust(64, "z")})


def reference_begins(field: str, text: str) -> Q:
    """References of bookings, which are capitals and digits behind a letter: a range in every collation."""
    begins = text.upper()
    return Q(**{f"{field}__gte": begins, f"{field}__lte": begins.ljust(32, "Z")})


@dataclass(frozen=True, slots=True)
class Scalar:
    sql: str
    parameters: Sequence[Any] = ()


def capped_counts(selections: Sequence[QuerySet[Any]], *, most: int = MOST) -> list[int]:
    """How many rows each has, in their order; `most` + 1 stands for more than `most`."""
    return read_scalars([capped_count(rows, most=most) for rows in selections])


def capped_count(rows: QuerySet[Any], *, most: int = MOST) -> Scalar:
    """How many there are; `most` + 1 for more than `most`."""
    try:
        sql, parameters = rows.order_by().values("pk")[: most + 1].query.sql_with_params()
    except EmptyResultSet:  # a condition that nothing fulfils
        return Scalar("0")
    return Scalar(f"(SELECT count(*) FROM ({sql}) AS counted)", parameters)  # noqa: S608 - the ORM wrote it


def read_scalars(scalars: Sequence[Scalar]) -> list[Any]:
    """Their values, in their order. One statement, and none for none."""
    if not scalars:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join(each.sql for each in scalars)}",
            [value for each in scalars for value in each.parameters],
        )
        return list(cursor.fetchone())


def capped_words(count: int, *, most: int = MOST) -> str:
    """`37`, or `1,000+` where more were not counted."""
    return f"{count:,}" if count <= most else f"{most:,}+"


def no_later_than(instant: datetime, field: str) -> Case:
    """The time in `field`; `instant` where it is later, as the clock of a sandbox may have set it. NULL stays NULL."""
    return Case(When(**{f"{field}__gt": instant}, then=Value(instant)), default=F(field))


def prune(rows: QuerySet[Any], *, batch: int = BATCH) -> int:
    """Delete `rows`, a batch a transaction, until none is left; how many. For models that nothing cascades from."""
    total = 0
    while True:
        chosen = rows.order_by().values("pk")[:batch]
        gone: int = rows.model._default_manager.filter(pk__in=chosen).delete()[0]
        total += gone
        if gone < batch:
            return total


def prune_by_id(rows: QuerySet[Any], instant: str, before: datetime, *, batch: int = BATCH) -> int:
    """Delete those whose `instant` is before `before`; returns how many. For keys that grow with time, as their only index.

    Walks along the primary key, a batch a transaction, up to the first batch without an old row.
    """
    total, last = 0, 0
    while True:
        page = list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", instant)[:batch])
        old = [pk for pk, at in page if at < before]
        if not old:
            return total
        total += rows.model._default_manager.filter(pk__in=old).delete()[0]
        last = page[-1][0]
