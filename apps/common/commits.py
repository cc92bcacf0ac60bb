"""Commits that need not reach the disk before the next step, because a later commit of the same request will.

PostgreSQL writes its log in order: whatever commits durably makes everything before it durable, too. So a claim, a quota unit or
a hold whose loss could only be seen together with the loss of all that followed does not wait for the disk; what a partner or a
supplier is told of always follows a durable commit.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

RELAX = "set_config('synchronous_commit', 'off', true)"
"""As a column of a single statement: relaxes that statement's own commit."""


@contextmanager
def relaxed_commit() -> Iterator[None]:
    """A transaction that does not wait for the disk."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {RELAX}")
        yield
