"""Bookings in the order in which they changed, and the failed operations of a key. Built beside running bookings, however long
that takes; an index that an interrupted run left invalid is built anew.
"""

from django.db import migrations, models

from apps.common.index_migrations import built_beside

BY_UPDATE = "booking_by_update"
FAILED = "operation_failed_under_key"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0016_keys_that_are_past")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(
                    BY_UPDATE, "bookings_booking (account_id, environment, product, updated_at, id)"
                ),
                built_beside(FAILED, "bookings_operation (idempotency_record_id) WHERE state = 'failed'"),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="booking",
                    index=models.Index(
                        fields=["account", "environment", "product", "updated_at", "id"], name=BY_UPDATE
                    ),
                ),
                migrations.AddIndex(
                    model_name="operation",
                    index=models.Index(
                        condition=models.Q(("state", "failed")),
                        fields=["idempotency_record_id"],
                        name=FAILED,
                    ),
                ),
            ],
        )
    ]
