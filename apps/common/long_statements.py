"""Statements longer than psycopg keeps.

psycopg remembers how it has read a statement, but none of more than 4,096 characters: most of those are an ORM's, and do not come
again. Ours of a booking are longer and always the same, and to read one anew takes longer than to send it.
"""

from psycopg import _queries

LONGEST = 8_192


def keep() -> None:
    """From now on psycopg remembers statements of up to `LONGEST` characters."""
    _queries.MAX_CACHED_STATEMENT_LENGTH = LONGEST
