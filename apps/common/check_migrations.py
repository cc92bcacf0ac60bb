"""Checks in the form that costs PostgreSQL least.

PostgreSQL reads the stored text of a table's checks anew with each statement that writes to it. For `IN (...)`, as Django writes
it, it keeps an expression of every word; for one array constant less than half of that, and the same is refused. Of a long
condition a call of a function is shorter still: what is in it is read once for a connection.
"""

from collections.abc import Mapping, Sequence

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


def by_function(table: str, columns: Mapping[str, str], condition: str, *, name: str) -> RunSQL:
    """Makes the check `name` a call of a function of that name, which asks `condition` of its parameters: `columns`, by name with
    their types. Otherwise as `one_of`.
    """
    parameters = ", ".join(f"{column} {kind}" for column, kind in columns.items())
    kinds = ", ".join(columns.values())
    return RunSQL(
        [
            "SET statement_timeout = 0",
            f"CREATE OR REPLACE FUNCTION {name}({parameters}) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS"
            f" $$ BEGIN RETURN {condition}; END $$",
            _replaced(table, name, f"{name}({', '.join(columns)})"),
            f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
            "RESET statement_timeout",
        ],
        [
            _replaced(table, name, condition),
            f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
            f"DROP FUNCTION {name}({kinds})",
        ],
    )


def _replaced(table: str, name: str, condition: str) -> str:
    return f"ALTER TABLE {table} DROP CONSTRAINT {name}, ADD CONSTRAINT {name} CHECK ({condition}) NOT VALID"
