import pytest
from django.db import connection
from psycopg import _queries

from apps.common import long_statements


def read_anew(monkeypatch: pytest.MonkeyPatch, length: int) -> int:
    """How often a statement of that length is read when it is sent three times."""
    read = []
    real = _queries._query2pg_nocache

    def reading(query: bytes, encoding: str) -> object:
        read.append(query)
        return real(query, encoding)

    monkeypatch.setattr(_queries, "_query2pg_nocache", reading)
    monkeypatch.setattr(_queries, "MAX_CACHED_STATEMENT_LENGTH", 4_096)
    long_statements.keep()
    statement = "SELECT %(number)s::int".ljust(length)
    for number in range(3):
        with connection.cursor() as cursor:
            cursor.execute(statement, {"number": number})
            assert cursor.fetchone() == (number,)
    return len(read)


@pytest.mark.django_db
def test_the_longest_of_our_statements_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from apps.bookings.statements import END, RESERVE

    assert 4_096 < max(len(END), len(RESERVE)) <= long_statements.LONGEST
    assert read_anew(monkeypatch, long_statements.LONGEST) == 0
    assert read_anew(monkeypatch, long_statements.LONGEST + 1) == 3
