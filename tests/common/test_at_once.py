"""All statements are made before the first is executed."""

from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations.state import ModelState, ProjectState

from apps.common.at_once import AtOnce

pytestmark = pytest.mark.django_db


def state() -> ProjectState:
    made = ProjectState()
    made.add_model(ModelState("planted", "Thing", [("id", models.BigAutoField(primary_key=True))]))
    return made


def added(name: str) -> migrations.AddField:
    return migrations.AddField("thing", name, models.IntegerField(null=True))


class Counting(migrations.AddField):
    """Says how many columns there are when its statement is made."""

    columns: list[int]

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        with connection.cursor() as cursor:
            table = connection.introspection.get_table_description(cursor, "planted_thing")
        self.columns = [len(table)]
        super().database_forwards(app_label, schema_editor, from_state, to_state)


def names() -> list[str]:
    with connection.cursor() as cursor:
        return [each.name for each in connection.introspection.get_table_description(cursor, "planted_thing")]


def test_statements_are_made_before_the_first_is_executed_and_taken_back_in_one_go() -> None:
    before = state()
    with connection.schema_editor() as editor:
        editor.create_model(before.apps.get_model("planted", "Thing"))
    second = Counting("thing", "second", models.IntegerField(null=True))
    operation = AtOnce([added("first"), second])
    after = before.clone()
    operation.state_forwards("planted", after)
    with connection.schema_editor() as editor:
        operation.database_forwards("planted", editor, before, after)
    assert (names(), second.columns) == (["id", "first", "second"], [1])
    with connection.schema_editor() as editor:
        operation.database_backwards("planted", editor, after, before)
    assert names() == ["id"]


def test_it_is_written_as_its_operations() -> None:
    operations = [added("first")]
    assert AtOnce(operations).deconstruct() == ("AtOnce", [], {"operations": operations})
