"""The roles and the database of an embedded PostgreSQL."""

from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

SUPERUSER = "postgres"
SERVICE = "service"
DATABASE = "travel_partner"

# The service's role makes databases for tests and figures. Setting session_replication_role lets tests empty tables
# in any order; the triggers that guard the ledger are on whatever it says.
ROLE: tuple[LiteralString, ...] = (
    f"CREATE ROLE {SERVICE} LOGIN CREATEDB",
    f"GRANT SET ON PARAMETER session_replication_role TO {SERVICE}",
)
# Until 1.1 everything belonged to the superuser, whom the service was.
FORMERLY_OWNED = (
    "SELECT datname FROM pg_database WHERE datdba = 10 AND NOT datistemplate AND datname <> 'postgres'"
)
HAND_OVER: LiteralString = """
DO $$
DECLARE one record;
BEGIN
    FOR one IN
        SELECT c.oid::regclass AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
         WHERE relowner = 10 AND nspname = 'public' AND relkind IN ('r', 'p', 'v', 'm', 'S')
           AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND relkind = 'S')
    LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO service', one.name);
    END LOOP;
    FOR one IN
        SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
         WHERE proowner = 10 AND nspname = 'public'
    LOOP
        EXECUTE format('ALTER ROUTINE %s OWNER TO service', one.name);
    END LOOP;
END $$
"""


def set_up(sockets: Path, port: int) -> None:
    """Make what is missing; an older checkout's databases become the service's. Raises OperationalError."""
    with _connected(sockets, port, "postgres") as connection:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [SERVICE]).fetchone():
            with connection.transaction():
                for statement in ROLE:
                    connection.execute(statement)
        for (name,) in connection.execute(FORMERLY_OWNED).fetchall():
            with _connected(sockets, port, name) as inside, inside.transaction():
                inside.execute(HAND_OVER)
                inside.execute(_statement("ALTER DATABASE {} OWNER TO {}", name, SERVICE))
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(_statement("CREATE DATABASE {} OWNER {}", DATABASE, SERVICE))


def _connected(sockets: Path, port: int, database: str) -> "psycopg.Connection[tuple[str, ...]]":
    return psycopg.connect(
        host=str(sockets), port=port, user=SUPERUSER, dbname=database, connect_timeout=5, autocommit=True
    )


def _statement(template: LiteralString, *names: str) -> sql.Composed:
    return sql.SQL(template).format(*map(sql.Identifier, names))
