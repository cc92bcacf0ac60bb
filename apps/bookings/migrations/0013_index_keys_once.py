"""An operation is found by its key through the index that keeps live ones apart, so the second one goes."""

from django.db import migrations, models

INDEX = "bookings_operation_idempotency_record_id_8fd7616e"
DROP = [
    "SET statement_timeout = 0",
    "SET lock_timeout = 0",
    f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}",
    "RESET statement_timeout",
    "RESET lock_timeout",
]
BUILD = f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {INDEX} ON bookings_operation (idempotency_record_id)"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0012_cheaper_checks")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(DROP, [BUILD])],
            state_operations=[
                migrations.AlterField(
                    model_name="operation",
                    name="idempotency_record_id",
                    field=models.BigIntegerField(
                        help_text="The Idempotency-Key it began under: a retry finds it by this", null=True
                    ),
                )
            ],
        )
    ]
