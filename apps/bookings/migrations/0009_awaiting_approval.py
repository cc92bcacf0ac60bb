"""Bookings and operations may await approval.

The checks only grow, as in `0004_on_hold`. The index that keeps one operation open for each booking is built again beside the
calls of a running release, which knows nothing of the new state.
"""

from django.db import migrations, models
from django.db.models import Q

import apps.bookings.models
from apps.common.migrating import AddFieldOnce

STATUSES = (
    "pending",
    "awaiting_approval",
    "on_hold",
    "confirmed",
    "ticketed",
    "provisioned",
    "cancelled",
    "failed",
)
STATES = ("awaiting", "held", "calling", "uncertain", "confirmed", "failed", "review")
OPEN = ("awaiting", "held", "calling", "uncertain", "review")
INDEX = "operation_one_open_per_booking"
REBUILT = [
    "SET lock_timeout = 0",
    f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}_new",
    f"CREATE UNIQUE INDEX CONCURRENTLY {INDEX}_new ON bookings_operation (booking_id) "
    f"WHERE state IN ({', '.join(map(repr, OPEN))})",
    f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}",
    f"ALTER INDEX {INDEX}_new RENAME TO {INDEX}",
    "RESET lock_timeout",
]


def replaced(table: str, name: str, column: str, values: tuple[str, ...]) -> list[str]:
    allowed = "{" + ",".join(values) + "}"
    return [
        f"ALTER TABLE {table} DROP CONSTRAINT {name}, "
        f"ADD CONSTRAINT {name} CHECK ({column} = ANY ('{allowed}')) NOT VALID",
        f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
    ]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0008_sold_for_cents")]

    operations = [
        migrations.AlterField(
            "booking", "status", apps.bookings.models.StatusField(max_length=16, default="pending")
        ),
        AddFieldOnce(
            "operation",
            "approval_expires_at",
            models.DateTimeField(
                null=True,
                blank=True,
                help_text="Until when it could be approved; null: it needed no approval",
            ),
        ),
        AddFieldOnce(
            "operation",
            "decision",
            models.CharField(
                max_length=8,
                choices=[("approved", "Approved"), ("declined", "Declined")],
                default="",
                db_default="",
                blank=True,
            ),
        ),
        AddFieldOnce(
            "operation",
            "decided_by",
            models.CharField(
                max_length=300,
                default="",
                db_default="",
                blank=True,
                help_text="As the audit trail names the person",
            ),
        ),
        AddFieldOnce("operation", "decided_at", models.DateTimeField(null=True, blank=True)),
        AddFieldOnce(
            "operation",
            "decision_reason",
            models.CharField(max_length=255, default="", db_default="", blank=True),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("booking", "booking_status_known"),
                migrations.AddConstraint(
                    "booking",
                    models.CheckConstraint(condition=Q(status__in=[*STATUSES]), name="booking_status_known"),
                ),
                migrations.RemoveConstraint("operation", "operation_state_known"),
                migrations.AddConstraint(
                    "operation",
                    models.CheckConstraint(condition=Q(state__in=[*STATES]), name="operation_state_known"),
                ),
                migrations.RemoveConstraint("operation", INDEX),
                migrations.AddConstraint(
                    "operation",
                    models.UniqueConstraint(fields=["booking"], condition=Q(state__in=OPEN), name=INDEX),
                ),
                migrations.AlterField(
                    "operation",
                    "state",
                    models.CharField(
                        max_length=10,
                        choices=[
                            ("awaiting", "Awaiting"),
                            ("held", "Held"),
                            ("calling", "Calling"),
                            ("uncertain", "Uncertain"),
                            ("confirmed", "Confirmed"),
                            ("failed", "Failed"),
                            ("review", "Review"),
                        ],
                        default="held",
                    ),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    replaced(
                        "bookings_booking",
                        "booking_status_known",
                        "status",
                        tuple(status.removesuffix("_approval") for status in STATUSES),
                    ),
                    migrations.RunSQL.noop,
                ),
                migrations.RunSQL(
                    replaced("bookings_operation", "operation_state_known", "state", STATES),
                    migrations.RunSQL.noop,
                ),
                migrations.RunSQL(REBUILT, migrations.RunSQL.noop),
            ],
        ),
    ]
