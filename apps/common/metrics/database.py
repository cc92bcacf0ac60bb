"""PostgreSQL: the connections of our role by what they do, how many the server admits, and how far this host's clock is off."""

import time
from collections.abc import Iterator

from django.db import connection

from apps.common.metrics.readings import Reading, Readings, register_readings

CONNECTIONS = """
SELECT coalesce(state, 'unknown'), count(*)
  FROM pg_stat_activity
 WHERE usename = current_user AND datname = current_database()
 GROUP BY 1"""
SERVER = "SELECT current_setting('max_connections')::int, extract(epoch FROM clock_timestamp())::float"
TEXTS = {
    "database_connections": "Connections of the service's role to its database, by what they do.",
    "database_connections_most": "How many connections the database server admits from everybody.",
    "clock_ahead_seconds": "How far the clock of this host is ahead of the database's, which alone decides.",
}


def database() -> Iterator[Reading]:
    with connection.cursor() as cursor:
        cursor.execute(CONNECTIONS)
        for state, count in cursor.fetchall():
            yield Reading("database_connections", count, {"state": state})
        asked = time.time()
        cursor.execute(SERVER)
        most, instant = cursor.fetchone()
    yield Reading("database_connections_most", most)
    yield Reading("clock_ahead_seconds", (asked + time.time()) / 2 - instant)


def register() -> None:
    register_readings(Readings(TEXTS, database))
