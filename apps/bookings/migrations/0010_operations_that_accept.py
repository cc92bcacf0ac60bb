from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import Q
from apps.common.at_once import AtOnce


class Migration(migrations.Migration):
    """Operations may accept what an airline changed. The rows there are need no look: the next migration takes it."""

    dependencies = [("bookings", "0009_find_by_iccid")]

    operations = [
        AtOnce(
            [
                migrations.AlterField(
                    "operation",
                    "kind",
                    models.CharField(
                        choices=[
                            ("book", "Book"),
                            ("change", "Change"),
                            ("cancel", "Cancel"),
                            ("accept", "accept a schedule change"),
                        ],
                        max_length=8,
                    ),
                ),
                migrations.RemoveConstraint("operation", "operation_kind_known"),
                AddConstraintNotValid(
                    "operation",
                    models.CheckConstraint(
                        condition=Q(kind__in=["book", "change", "cancel", "accept"]),
                        name="operation_kind_known",
                    ),
                ),
            ]
        )
    ]
