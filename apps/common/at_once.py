"""Several operations on tables in use, in one transaction: the first one's lock is held no longer than the SQL takes.

Before each operation Django makes classes of the models anew, which takes seconds, and a transaction keeps its locks meanwhile.
"""

from collections.abc import Callable, Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import SeparateDatabaseAndState
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class AtOnce(SeparateDatabaseAndState):
    """All statements are made first, and then executed one after the other. It holds no RunPython, and is the only operation."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        super().__init__(database_operations=operations, state_operations=operations)
        self._operations = operations

    def deconstruct(self) -> tuple[str, list[object], dict[str, object]]:
        return self.__class__.__name__, [], {"operations": self._operations}

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        forwards = super().database_forwards
        _execute(schema_editor, lambda maker: forwards(app_label, maker, from_state, to_state))

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        backwards = super().database_backwards
        _execute(schema_editor, lambda maker: backwards(app_label, maker, from_state, to_state))


def _execute(editor: BaseDatabaseSchemaEditor, make: Callable[[BaseDatabaseSchemaEditor], None]) -> None:
    with editor.connection.schema_editor(collect_sql=True, atomic=False) as maker:
        make(maker)
    for statement in maker.collected_sql:
        editor.execute(statement, None)
