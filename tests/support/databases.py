"""Databases that tests make and drop."""

import time
from typing import Any

import psycopg
from psycopg import sql

PATIENCE_SECONDS = 60.0
LEAVE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = current_user"


def drop_database(admin: psycopg.Connection[Any], name: str) -> None:
    """Drop it, if there is one; who is connected to it is sent away.

    Not WITH (FORCE): PostgreSQL refuses that to who is not its superuser while autovacuum works in the database.
    """
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        admin.execute(LEAVE, [name])
        try:
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
            return
        except psycopg.errors.ObjectInUse:  # it waits five seconds itself
            if time.monotonic() > give_up:
                raise
