"""`migrate`, under timeouts of its own, so that it stops no service that runs beside it.

A statement may take as long as it takes. A lock is waited for briefly: whoever comes meanwhile has to wait behind whoever waits
for a table's lock, and that would be every call. Where it is not had in time the migration is rolled back, and tried again, once
autovacuum has ended.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.errors import DeadlockDetected, LockNotAvailable

from apps.common.autovacuum import end_autovacuum

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 10.0


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        pause = FIRST_PAUSE_SECONDS
        with own_timeouts(connections[options["database"]]):
            for tries_left in reversed(range(max(1, settings.MIGRATE_LOCK_TRIES))):
                try:
                    super().handle(*args, **options)
                    return
                except OperationalError as error:
                    if (
                        not isinstance(error.__cause__, (LockNotAvailable, DeadlockDetected))
                        or not tries_left
                    ):
                        raise
                    self.stderr.write(
                        f"A table was busy; trying again in {pause:g} s ({tries_left} tries left)."
                    )
                sleep(pause)
                end_autovacuum(connections[options["database"]])
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


@contextmanager
def own_timeouts(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """The usual ones come with the connection, so it is opened anew, and again afterwards. Not inside a test's transaction."""
    if connection.in_atomic_block:
        yield
        return
    usual = connection.settings_dict["OPTIONS"]
    own = {
        "statement_timeout": 0,
        "idle_in_transaction_session_timeout": 0,
        "lock_timeout": settings.MIGRATE_LOCK_TIMEOUT_MS,
    }
    added = " ".join(f"-c {name}={value}" for name, value in own.items())
    connection.settings_dict["OPTIONS"] = {**usual, "options": f"{usual.get('options', '')} {added}".strip()}
    connection.close()
    try:
        yield
    finally:
        connection.settings_dict["OPTIONS"] = usual
        connection.close()
