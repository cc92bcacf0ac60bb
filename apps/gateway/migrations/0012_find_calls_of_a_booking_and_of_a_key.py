"""Calls by the booking that they are about, and by their Idempotency-Key: few calls have the one, and only writes the other.

Built beside running calls, however long that takes; an index that an interrupted run left invalid is built anew.
"""

from django.db import migrations, models
from django.db.models import F, Q

BY_BOOKING = "logged_call_page_by_booking"
BY_IDEMPOTENCY_KEY = "logged_call_by_idempotency_key"


def built(name: str, on: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        [
            "SET statement_timeout = 0",
            "SET lock_timeout = 0",
            f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
            f"CREATE INDEX CONCURRENTLY {name} ON gateway_loggedcall {on}",
            "RESET statement_timeout",
            "RESET lock_timeout",
        ],
        [f"DROP INDEX CONCURRENTLY IF EXISTS {name}"],
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("gateway", "0011_operation_and_request_of_a_key")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built(
                    BY_BOOKING,
                    "(account_id, environment, booking_id, created_at DESC, id DESC) WHERE NOT (booking_id = '')",
                ),
                built(
                    BY_IDEMPOTENCY_KEY,
                    "(account_id, environment, idempotency_key) WHERE NOT (idempotency_key = '')",
                ),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="loggedcall",
                    index=models.Index(
                        F("account"),
                        F("environment"),
                        F("booking_id"),
                        F("created_at").desc(),
                        F("id").desc(),
                        name=BY_BOOKING,
                        condition=~Q(booking_id=""),
                    ),
                ),
                migrations.AddIndex(
                    model_name="loggedcall",
                    index=models.Index(
                        fields=["account", "environment", "idempotency_key"],
                        name=BY_IDEMPOTENCY_KEY,
                        condition=~Q(idempotency_key=""),
                    ),
                ),
            ],
        )
    ]
