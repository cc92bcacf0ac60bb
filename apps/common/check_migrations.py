"""Checks of a column against a list of words, in the form that costs PostgreSQL least.

PostgreSQL reads the stored text of a table's checks anew with each statement that writes to it. For `IN (...)`, as Django writes
it, it keeps an expression of every word; for one array constant less than half of that, and the same is refused.
"""

from collections.abc import Sequence

from django.db.migrations import RunSQL


def one_of(table: str, column: str, words: Sequence[str], *, name: str) -> RunSQL:
    """Gives the check `name` that form. For a migration that is not atomic: new rows are checked without a gap, and the old ones
    beside running writes. May be repeated where it was interrupted.
    """
    array = "'{" + ",".join(words) + "}'"
    listed = ", ".join(f"'{word}'" for word in words)
    return RunSQL(
        [
            "SET statement_timeout = 0",
            _replaced(table, name, f"{column} = ANY ({array})"),
            f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
            "RESET statement_timeout",
        ],
        [
            _replaced(table, name, f"{column} IN ({listed})"),
            f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
        ],
    )


def _replaced(table: str, name: str, condition: str) -> str:
    return f"ALTER TABLE {table} DROP CONSTRAINT {name}, ADD CONSTRAINT {name} CHECK ({condition}) NOT VALID"
