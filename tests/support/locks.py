"""Rows in the hands of another transaction: for what must not wait for them, and for who must take them."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet

LONGEST_SECONDS = 30.0
HELD_SECONDS = 30.0


@contextmanager
def locked(rows: QuerySet[Any], how: str = "UPDATE") -> Iterator[None]:
    """Another connection holds `rows`, which must be committed, until the end of the block.

    `how` is PostgreSQL's word for it: "UPDATE", or "KEY SHARE" as an INSERT has the rows that it refers to.
    """
    table, ids = rows.model._meta.db_table, list(rows.values_list("pk", flat=True))
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f'SELECT id FROM "{table}" WHERE id = ANY(%s) FOR {how}', [ids])
                assert len(cursor.fetchall()) == len(ids) > 0
                held.set()
                assert over.wait(HELD_SECONDS), "the block waits for what it holds"
        finally:
            held.set()
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        assert held.wait(LONGEST_SECONDS)
        try:
            yield
        finally:
            over.set()
            holding.result()


def is_taken(rows: QuerySet[Any]) -> bool:
    """Whether another transaction would have to wait to write `rows`, which must be committed."""
    table, ids = rows.model._meta.db_table, list(rows.values_list("pk", flat=True))

    def has_to_wait() -> bool:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f'SELECT id FROM "{table}" WHERE id = ANY(%s) FOR NO KEY UPDATE NOWAIT', [ids])
                assert len(cursor.fetchall()) == len(ids) > 0
        except OperationalError:
            return True
        finally:
            connection.close()
        return False

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(has_to_wait).result()


def until_somebody_waits() -> None:
    """Until a connection to this database waits for a lock. Raises AssertionError where none does in time."""
    ends_at = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < ends_at:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction sees what it saw first
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.005)
    raise AssertionError("nobody waits for a lock")
