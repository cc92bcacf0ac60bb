"""Counts of several selections in one statement. None goes beyond a bound: a large account costs as much as a small one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

MOST = 1_000


@dataclass(frozen=True, slots=True)
class Scalar:
    """A SELECT of one value, in brackets."""

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
