"""Judges every migration that came after the last release."""

from collections.abc import Sequence

from tests.migrations.exceptions import EXCEPTIONS, RELEASED
from tests.migrations.reading import Read
from tests.migrations.rules import Script, altered, created, judged


def faults(migrations: Sequence[Read]) -> dict[str, list[str]]:
    """`app.migration` → what is wrong with it, without what is excepted."""
    coming = [each for each in migrations if each.name[:4] > RELEASED.get(each.app, "")]
    new = frozenset[str]().union(*(created(each.statements) for each in coming))
    found = {f"{each.app}.{each.name}": faults_of(each, new) for each in coming}
    return {
        name: left
        for name, wrong in found.items()
        if (left := [each for each in wrong if not _excepted(name, each)])
    }


def faults_of(migration: Read, new_tables: frozenset[str]) -> list[str]:
    programs = [
        f"{source.split('(')[0].strip()} goes through a table without batches: atomic = False, a batch a transaction"
        for source in migration.programs
        if migration.atomic or "batch" not in source
    ]
    script = Script(migration.statements, migration.atomic, new_tables)
    held = [
        f"{table} stays locked while Django makes the models of the next operation: all of them AtOnce, or a migration each"
        for table in altered(script)
        if migration.atomic and migration.operations > 1
    ]
    return judged(script) + programs + held


def _excepted(name: str, wrong: str) -> bool:
    return any(part in wrong for part in EXCEPTIONS.get(name, {}))
