"""Counts of several selections in one statement. None goes beyond a bound: a large account costs as much as a small one."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

MOST = 1_000


def capped_counts(selections: Sequence[QuerySet[Any]], *, most: int = MOST) -> list[int]:
    """How many rows each has, in their order; `most` + 1 stands for more than `most`."""
    parts: list[str] = []
    parameters: list[Any] = []
    for rows in selections:
        try:
            sql, own = rows.order_by().values("pk")[: most + 1].query.sql_with_params()
        except EmptyResultSet:  # a condition that nothing fulfils
            parts.append("0")
            continue
        parts.append(f"(SELECT count(*) FROM ({sql}) AS counted)")  # noqa: S608 - the ORM wrote it
        parameters += own
    if not parts:
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", parameters)
        return list(cursor.fetchone())
