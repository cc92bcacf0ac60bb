"""The attempts of the last two days learn their endpoint, newest first, so that an endpoint that fails now is seen as failing.

Older ones stay without: health is of the last 24 hours. Attempts are never changed otherwise, so this waits for nobody.
"""

from typing import Any

from django.db import migrations

BATCH = 5_000

# Ids grow with time: from one batch on, all are older.
FILL = """
WITH batch AS (
    SELECT id, delivery_id, attempted_at >= now() - interval '2 days' AS recent FROM webhooks_attempt
     WHERE id < %(before)s::bigint ORDER BY id DESC LIMIT %(batch)s::int
), filled AS (
    UPDATE webhooks_attempt a SET endpoint_id = d.endpoint_id FROM batch JOIN webhooks_delivery d ON d.id = batch.delivery_id
     WHERE a.id = batch.id AND batch.recent AND a.endpoint_id IS NULL
)
SELECT min(id), bool_or(recent) FROM batch"""


def fill(_apps: Any, schema_editor: Any) -> None:
    before, recent = 2**63 - 1, True
    while recent:
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(FILL, {"before": before, "batch": BATCH})
            before, recent = cursor.fetchone()


class Migration(migrations.Migration):
    atomic = False  # each batch by itself

    dependencies = [("webhooks", "0012_endpoint_of_an_attempt")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
