"""Indexes are made and dropped while others write, and made anew where a run was interrupted."""

import pytest
from django.db import connection

from apps.common.index_migrations import built_beside, dropped_beside

pytestmark = pytest.mark.django_db(transaction=True)
ON = "bookings_booking (supplier_name) WHERE supplier_name <> ''"


def run(statements: object) -> None:
    assert isinstance(statements, list)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def definition() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'tried_index'")
        row = cursor.fetchone()
    return row[0] if row else None


def timeouts() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        return list(cursor.fetchone())


def test_an_index_is_made_anew_and_dropped_and_both_can_be_taken_back() -> None:
    before = timeouts()
    built, dropped = built_beside("tried_index", ON), dropped_beside("tried_index", ON)
    run(built.sql)
    run(built.sql)
    assert "(supplier_name) WHERE" in str(definition())
    run(dropped.sql)
    assert definition() is None
    run(dropped.reverse_sql)
    assert "(supplier_name) WHERE" in str(definition())
    run(built.reverse_sql)
    assert (definition(), timeouts()) == (None, before)


def test_a_unique_one_is_unique() -> None:
    built = built_beside("tried_index", "bookings_booking (reference)", unique=True)
    run(built.sql)
    assert str(definition()).startswith("CREATE UNIQUE INDEX")
    run(built.reverse_sql)


def test_nothing_of_it_blocks_writers() -> None:
    for operation in (built_beside("tried_index", ON), dropped_beside("tried_index", ON)):
        assert isinstance(operation.sql, list)
        made = [sql for sql in operation.sql if "INDEX" in str(sql)]
        assert made
        assert all("CONCURRENTLY" in str(sql) for sql in made)
