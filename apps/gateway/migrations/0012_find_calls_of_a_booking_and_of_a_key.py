"""Calls by the booking that they are about, and by their Idempotency-Key: few calls have the one, and only writes the other.

Built beside running calls, however long that takes; an index that an interrupted run left invalid is built anew.
"""

from django.db import migrations, models
from django.db.models import F, Q

from apps.common.index_migrations import built_beside

BY_BOOKING = "logged_call_page_by_booking"
BY_IDEMPOTENCY_KEY = "logged_call_by_idempotency_key"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("gateway", "0011_operation_and_request_of_a_key")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(
                    BY_BOOKING,
                    "gateway_loggedcall (account_id, environment, booking_id, created_at DESC, id DESC) WHERE NOT (booking_id = '')",
                ),
                built_beside(
                    BY_IDEMPOTENCY_KEY,
                    "gateway_loggedcall (account_id, environment, idempotency_key) WHERE NOT (idempotency_key = '')",
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
