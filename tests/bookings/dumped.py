"""What an intruder could carry away: all tables as a dump holds them, and all of Redis."""

import redis
from django.conf import settings
from django.db import connection

Dump = dict[str, bytes]
"""The rows of each table, as `COPY … TO` writes them."""


def dumped() -> Dump:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        return {table: copied(table) for (table,) in cursor.fetchall()}


def copied(table: str) -> bytes:
    with connection.cursor() as cursor, cursor.cursor.copy(f'COPY "{table}" TO STDOUT') as rows:  # type: ignore[attr-defined]
        return b"".join(bytes(block) for block in rows)


def restored(dump: Dump, *tables: str) -> None:
    """Put the rows of these tables back as they were."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no foreign key is checked meanwhile
        for table in tables:
            cursor.execute(f'DELETE FROM "{table}"')
            with cursor.cursor.copy(f'COPY "{table}" FROM STDIN') as rows:  # type: ignore[attr-defined]
                rows.write(dump[table])
        cursor.execute("SET session_replication_role = origin")


def in_redis() -> bytes:
    """Every key of the database that the service uses, with what it holds."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    return b"\n".join(key + b"=" + (client.dump(key) or b"") for key in client.scan_iter(count=1_000))


def hits(canaries: list[str], *places: bytes) -> int:
    """How many of the canaries are found."""
    whole = b"\n".join(places)
    return sum(canary.encode() in whole for canary in canaries)
