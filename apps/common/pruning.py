"""Forgetting in small batches: no statement locks or rewrites more rows than a moment's worth."""

from typing import Any

from django.db.models import QuerySet

BATCH = 5_000


def prune(rows: QuerySet[Any], *, batch: int = BATCH) -> int:
    """Delete `rows`, a batch a transaction, until none is left; how many. For models that nothing cascades from."""
    total = 0
    while True:
        gone: int = rows.model._default_manager.filter(pk__in=rows.order_by().values("pk")[:batch]).delete()[
            0
        ]
        total += gone
        if gone < batch:
            return total
