"""Commits that need not reach the disk before the next step, because a later commit of the same request will.

PostgreSQL writes its log in order: a durable commit makes everything before it durable, too. So a claim, a quota unit or a hold
need not wait for the disk: it can only be lost together with all that followed it. Before a partner or a supplier is told of
anything, a durable commit has been made.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from django.db import connection, transaction

RELAX = "set_config('synchronous_commit', 'off', true)"
"""As a column of a single statement: relaxes that statement's own commit."""


NOTHING = nullcontext()


@contextmanager
def relaxed_commit() -> Iterator[None]:
    """A transaction that does not wait for the disk."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {RELAX}")
        yield


def around_one_statement() -> AbstractContextManager[None]:
    """For a statement that may fail where its caller goes on: inside a transaction a savepoint, else nothing, because a statement
    is a transaction by itself, and BEGIN and COMMIT would be two more round trips.
    """
    return transaction.atomic() if connection.in_atomic_block else NOTHING
