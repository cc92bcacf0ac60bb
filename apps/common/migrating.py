"""Operations for migrations that are not atomic, so that one that was interrupted can run again."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class AddFieldOnce(migrations.AddField):
    """`AddField` that leaves a column alone which is there already."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        connection = schema_editor.connection
        model = to_state.apps.get_model(app_label, self.model_name)
        if not schema_editor.collect_sql:  # `sqlmigrate` prints all of it
            with connection.cursor() as cursor:
                columns = connection.introspection.get_table_description(cursor, model._meta.db_table)
            if model._meta.get_field(self.name).column in {column.name for column in columns}:
                return
        super().database_forwards(app_label, schema_editor, from_state, to_state)
