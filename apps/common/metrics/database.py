"""The connections to PostgreSQL: those of our role by what they do, and how many the server admits."""

from collections.abc import Iterator

from django.db import connection

from apps.common.metrics.readings import Reading, Readings, register_readings

CONNECTIONS = """
SELECT coalesce(state, 'unknown'), count(*), current_setting('max_connections')::int
  FROM pg_stat_activity
 WHERE usename = current_user AND datname = current_database()
 GROUP BY 1"""
TEXTS = {
    "database_connections": "Connections of the service's role to its database, by what they do.",
    "database_connections_most": "How many connections the database server admits from everybody.",
}


def connections() -> Iterator[Reading]:
    with connection.cursor() as cursor:
        cursor.execute(CONNECTIONS)
        rows = cursor.fetchall()
    for state, count, most in rows:
        yield Reading("database_connections", count, {"state": state})
    yield Reading("database_connections_most", rows[0][2])


def register() -> None:
    register_readings(Readings(TEXTS, connections))
