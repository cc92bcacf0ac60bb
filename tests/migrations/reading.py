"""The SQL of our migrations, in the order in which they run, as Django would write it. Nothing is run."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.apps import apps
from django.db import connection
from django.db.migrations import Migration, RunPython, SeparateDatabaseAndState
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


@dataclass(frozen=True)
class Read:
    """One migration. `programs` is the source of each RunPython in it, `operations` how many it has."""

    app: str
    name: str
    atomic: bool
    statements: Sequence[str]
    programs: Sequence[str]
    operations: int = 1


def read_ours() -> list[Read]:
    """Those in `apps/`. Others only tell what tables there are."""
    loader = MigrationLoader(None)
    state = ProjectState()
    found = []
    for app, name in loader.graph._generate_plan(sorted(loader.graph.leaf_nodes()), at_end=True):
        migration = loader.graph.nodes[app, name]
        if apps.get_app_config(app).name.startswith("apps."):
            statements, state = written(migration, state)
            programs = [inspect.getsource(each) for each in programs_of(migration.operations)]
            found.append(Read(app, name, migration.atomic, statements, programs, len(migration.operations)))
        else:
            state = migration.mutate_state(state, preserve=False)
    return found


def written(migration: Migration, state: ProjectState) -> tuple[list[str], ProjectState]:
    """Its statements, and the state after it."""
    with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
        state = migration.apply(state, editor, collect_sql=True)
    return [each for each in editor.collected_sql if not each.startswith("--")], state


def programs_of(operations: Sequence[Operation]) -> Iterator[Callable[..., object]]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from programs_of(operation.database_operations)
        elif isinstance(operation, RunPython) and operation.code is not RunPython.noop:
            yield operation.code
