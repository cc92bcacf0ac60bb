"""In which order a service locks rows: whoever locks the same rows in one order never waits crosswise."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from django.db import DatabaseError, connection, models, transaction

from tests.support.locks import locked, until_somebody_waits


def has_locked_first(act: Callable[[], object], first: models.Model, last: models.Model) -> bool:
    """Whether `act` has locked `first` by the time it waits for `last`, which is in other hands.

    `act` finds no index that would give it the rows in an order that it did not ask for. Both rows must be committed.
    """

    def acting() -> None:
        with suppress(DatabaseError):
            with connection.cursor() as cursor:
                cursor.execute("SET enable_indexscan = off; SET enable_bitmapscan = off")
            act()
        connection.close()

    rows = type(last)._default_manager.filter(pk=last.pk)
    with ThreadPoolExecutor(1) as pool:
        with locked(rows):
            acted = pool.submit(acting)
            until_somebody_waits()
            with transaction.atomic():
                free = type(first)._default_manager.select_for_update(skip_locked=True).filter(pk=first.pk)
                found = list(free)
        acted.result()
    return not found
