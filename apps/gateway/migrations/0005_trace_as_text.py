"""The trace of a call becomes a text. Processes of the release before go on writing lists: their column stays, and is optional.

The lists that are there become texts in batches, each a transaction of its own. It may be repeated where it was interrupted.
"""

from typing import Any

from django.db import migrations, models

BATCH = 5_000
# The milliseconds become microseconds, and "passed" is no longer said.
KEEP = """
WITH batch AS (
    SELECT id FROM gateway_loggedcall WHERE id > %(after)s ORDER BY id LIMIT %(batch)s
), kept AS (
    UPDATE gateway_loggedcall call SET trace = (
        SELECT string_agg(
                   (step ->> 0) || ' ' || round((step ->> 2)::numeric * 1000)
                   || CASE WHEN step ->> 1 = 'passed' THEN '' ELSE ' ' || (step ->> 1) END,
                   ';' ORDER BY place)
          FROM jsonb_array_elements(steps) WITH ORDINALITY AS taken (step, place))
      FROM batch
     WHERE call.id = batch.id AND jsonb_array_length(steps) > 0 AND trace = ''
)
SELECT max(id) FROM batch
"""
BACK = """
WITH batch AS (
    SELECT id FROM gateway_loggedcall WHERE id > %(after)s ORDER BY id LIMIT %(batch)s
), kept AS (
    UPDATE gateway_loggedcall call SET steps = coalesce((
        SELECT jsonb_agg(
                   jsonb_build_array(split_part(step, ' ', 1), COALESCE(NULLIF(split_part(step, ' ', 3), ''), 'passed'),
                                     split_part(step, ' ', 2)::numeric / 1000)
                   ORDER BY place)
          FROM string_to_table(trace, ';') WITH ORDINALITY AS taken (step, place)
         WHERE trace <> ''), steps, '[]')
      FROM batch
     WHERE call.id = batch.id
)
SELECT max(id) FROM batch
"""
TRACE = "ALTER TABLE gateway_loggedcall ADD COLUMN IF NOT EXISTS trace text DEFAULT '' NOT NULL"
OPTIONAL = (
    "ALTER TABLE gateway_loggedcall ALTER COLUMN steps SET DEFAULT '[]', ALTER COLUMN steps DROP NOT NULL"
)
REQUIRED = (
    "ALTER TABLE gateway_loggedcall ALTER COLUMN steps DROP DEFAULT, ALTER COLUMN steps SET NOT NULL",
    "ALTER TABLE gateway_loggedcall DROP COLUMN trace",
)


def in_batches(cursor: Any, statement: str, batch: int = BATCH) -> None:
    after = 0
    while after is not None:
        cursor.execute(statement, {"after": after, "batch": batch})
        ((after,),) = cursor.fetchall()


def keep_traces(_apps: Any, schema_editor: Any) -> None:
    """Batch by batch, along the primary key."""
    with schema_editor.connection.cursor() as cursor:
        in_batches(cursor, KEEP)


def lists_again(_apps: Any, schema_editor: Any) -> None:
    """Batch by batch, along the primary key."""
    with schema_editor.connection.cursor() as cursor:
        in_batches(cursor, BACK)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("gateway", "0004_request_log"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL([TRACE, OPTIONAL], [*REQUIRED])],
            state_operations=[
                migrations.AddField(
                    model_name="loggedcall",
                    name="trace",
                    field=models.TextField(
                        blank=True,
                        default="",
                        help_text="The steps in the order taken: name, microseconds, verdict if refused",
                    ),
                ),
                migrations.RemoveField(model_name="loggedcall", name="steps"),
            ],
        ),
        migrations.RunPython(keep_traces, lists_again),
    ]
