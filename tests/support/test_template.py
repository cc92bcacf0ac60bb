import os
from collections.abc import Iterator

import psycopg
import pytest

from apps.ledger.models import LedgerEntry
from tests.support import template
from tests.support.databases import drop_database
from tests.support.own_service import own_database

# Columns, constraints (a check is spelt anew when it is copied), and triggers with the sessions that they fire in.
MADE = """
SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull::text
  FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid
 WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT conrelid::regclass::text, conname::text,
       CASE contype WHEN 'c' THEN '' ELSE pg_get_constraintdef(oid) END, convalidated::text
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid), tgenabled::text
  FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'rows', app, name, '' FROM django_migrations
UNION ALL SELECT 'rows', app_label, model, '' FROM django_content_type
ORDER BY 1, 2, 3, 4
"""


@pytest.fixture
def empty() -> Iterator[str]:
    """The URL of a database without tables."""
    name = f"template_test_{os.getpid()}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        yield template.url_of(name)
        drop_database(admin, name)


def made(url: str) -> list[tuple[str, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(MADE).fetchall()


def test_another_server_gets_what_the_template_holds(empty: str) -> None:
    template.copy_to(empty)

    with own_database("template_test_other") as copied:
        assert made(empty) == made(copied)
    assert LedgerEntry._meta.db_table in {table for table, *_ in made(empty)}
    assert "A" in {fires for *_, fires in made(empty)}
