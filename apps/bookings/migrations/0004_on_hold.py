"""Bookings may be on hold, and operations may pay for them.

The checks only grow: each is replaced without reading the table, and validated beside the calls of a running release. A migration
that was interrupted can be run again. Their text is as short as in `0002_sql`.
"""

from django.db import migrations, models
from django.db.models import Q

STATUSES = ("pending", "on_hold", "confirmed", "ticketed", "provisioned", "cancelled", "failed")
KINDS = ("book", "change", "cancel", "accept", "services", "pay")


def replaced(table: str, name: str, column: str, values: tuple[str, ...]) -> list[str]:
    allowed = "{" + ",".join(values) + "}"
    return [
        f"ALTER TABLE {table} DROP CONSTRAINT {name}, "
        f"ADD CONSTRAINT {name} CHECK ({column} = ANY ('{allowed}')) NOT VALID",
        f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}",
    ]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0003_services")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("booking", "booking_status_known"),
                migrations.AddConstraint(
                    "booking",
                    models.CheckConstraint(condition=Q(status__in=[*STATUSES]), name="booking_status_known"),
                ),
                migrations.RemoveConstraint("operation", "operation_kind_known"),
                migrations.AddConstraint(
                    "operation",
                    models.CheckConstraint(condition=Q(kind__in=[*KINDS]), name="operation_kind_known"),
                ),
                migrations.AlterField(
                    "operation",
                    "kind",
                    models.CharField(
                        max_length=8,
                        choices=[
                            ("book", "Book"),
                            ("change", "Change"),
                            ("cancel", "Cancel"),
                            ("accept", "accept a schedule change"),
                            ("services", "add bags"),
                            ("pay", "pay for an order on hold"),
                        ],
                    ),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    replaced("bookings_booking", "booking_status_known", "status", STATUSES),
                    migrations.RunSQL.noop,
                ),
                migrations.RunSQL(
                    replaced("bookings_operation", "operation_kind_known", "kind", KINDS),
                    migrations.RunSQL.noop,
                ),
            ],
        ),
    ]
