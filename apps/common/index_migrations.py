"""Indexes of large tables, for migrations: made and dropped while others write to the table, however long that takes.

Such a migration has `atomic = False`. An index that an interrupted run left invalid is made anew.
"""

from django.db.migrations import RunSQL

_PATIENTLY = ["SET statement_timeout = 0", "SET lock_timeout = 0"]
"""Making one waits for every transaction that began before it, and keeps nobody waiting."""
_AS_BEFORE = ["RESET statement_timeout", "RESET lock_timeout"]


def built_beside(name: str, on: str, *, unique: bool = False) -> RunSQL:
    """`CREATE INDEX CONCURRENTLY name ON on`. `on` is the table with the columns, and WHERE of a partial one."""
    kind = "UNIQUE INDEX" if unique else "INDEX"
    drop = f"DROP INDEX CONCURRENTLY IF EXISTS {name}"
    return RunSQL([*_PATIENTLY, drop, f"CREATE {kind} CONCURRENTLY {name} ON {on}", *_AS_BEFORE], [drop])


def dropped_beside(name: str, on: str) -> RunSQL:
    """`DROP INDEX CONCURRENTLY name`. `on` is what makes it again backwards, as of `built_beside`."""
    drop, create = (
        f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
        f"CREATE INDEX CONCURRENTLY {name} ON {on}",
    )
    return RunSQL([*_PATIENTLY, drop, *_AS_BEFORE], [*_PATIENTLY, create, *_AS_BEFORE])
