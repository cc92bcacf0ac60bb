"""Autovacuum gives a table up to whoever waits for it longer than `deadlock_timeout`, and a migration does not wait that long.

After a large backfill it would hold the table for as long as it takes, which may be hours. Its kind of lock no call asks for:
so one may wait for that very kind, and no call waits behind. Then autovacuum ends.
"""

from django.db import OperationalError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.errors import LockNotAvailable

PATIENCE_MS = 5_000
"""Beyond PostgreSQL's deadlock_timeout, a second by default. A VACUUM that somebody called for does not give way, and goes on."""

# VACUUM's lock is held by nothing that calls do. Other columns of these views are hidden from the owner of the tables.
VACUUMED = """
SELECT DISTINCT quote_ident(n.nspname) || '.' || quote_ident(c.relname)
  FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE l.mode = 'ShareUpdateExclusiveLock' AND l.granted AND l.pid <> pg_backend_pid() AND c.relkind = 'r'
   AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
   AND pg_has_role(c.relowner, 'USAGE')
"""


def end_autovacuum(connection: BaseDatabaseWrapper, patience_ms: int = PATIENCE_MS) -> list[str]:
    """Ends autovacuum of our tables. Returns those that are free of it now."""
    with connection.cursor() as cursor:
        cursor.execute(VACUUMED)
        tables = [str(table) for (table,) in cursor.fetchall()]
    return [table for table in tables if _had(connection, table, patience_ms)]


def _had(connection: BaseDatabaseWrapper, table: str, patience_ms: int) -> bool:
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {patience_ms:d}")
            cursor.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            return False
        raise
    return True
