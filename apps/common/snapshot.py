"""Reading several things as they were at one instant."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


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
