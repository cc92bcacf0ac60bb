"""An answer is stored in the place that its record's page keeps free, and writes no index entry.

PostgreSQL does so where no index is of a column that changes. What is forgotten is found by when it was made. The release before
reads the whole table instead, as it forgets.
"""

from django.db import migrations, models

from apps.common.index_migrations import built_beside, dropped_beside


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("gateway", "0013_continue_traces")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE gateway_idempotencyrecord SET (fillfactor = 50)",
            "ALTER TABLE gateway_idempotencyrecord RESET (fillfactor)",
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside("idempotency_by_age", "gateway_idempotencyrecord (created_at)"),
                dropped_beside(
                    "idempotency_finished",
                    "gateway_idempotencyrecord (completed_at) WHERE completed_at IS NOT NULL",
                ),
                dropped_beside(
                    "idempotency_unanswered",
                    "gateway_idempotencyrecord (created_at) WHERE completed_at IS NULL",
                ),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="idempotencyrecord",
                    index=models.Index(fields=["created_at"], name="idempotency_by_age"),
                ),
                migrations.RemoveIndex(model_name="idempotencyrecord", name="idempotency_finished"),
                migrations.RemoveIndex(model_name="idempotencyrecord", name="idempotency_unanswered"),
            ],
        ),
    ]
