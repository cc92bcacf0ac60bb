"""Operations may correct a name and ask for a refund. The check only grows, as in `0004_on_hold`."""

from django.db import migrations, models
from django.db.models import Q

KINDS = ("book", "change", "cancel", "accept", "services", "pay", "correct", "refund")
ALLOWED = "{" + ",".join(KINDS) + "}"
REPLACED = [
    "ALTER TABLE bookings_operation DROP CONSTRAINT operation_kind_known, "
    f"ADD CONSTRAINT operation_kind_known CHECK (kind = ANY ('{ALLOWED}')) NOT VALID",
    "ALTER TABLE bookings_operation VALIDATE CONSTRAINT operation_kind_known",
]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0005_cancellation_quotes")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
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
                            ("correct", "correct a name"),
                            ("refund", "ask for a refund"),
                        ],
                    ),
                ),
            ],
            database_operations=[migrations.RunSQL(REPLACED, migrations.RunSQL.noop)],
        ),
    ]
