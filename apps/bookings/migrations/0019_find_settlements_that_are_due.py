"""What workers take, in their order; and what fails, so that staff are told."""

from django.db import migrations, models
from django.db.models import Q

from apps.common.index_migrations import built_beside

DUE, FAILING = "settlement_due", "settlement_failing"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0018_settlements_tried_again")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(DUE, "bookings_settlement (next_attempt_at, id) WHERE settled_at IS NULL"),
                built_beside(
                    FAILING, "bookings_settlement (failures) WHERE failures > 0 AND settled_at IS NULL"
                ),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="settlement",
                    index=models.Index(
                        condition=Q(settled_at__isnull=True), fields=["next_attempt_at", "id"], name=DUE
                    ),
                ),
                migrations.AddIndex(
                    model_name="settlement",
                    index=models.Index(
                        condition=Q(settled_at__isnull=True, failures__gt=0),
                        fields=["failures"],
                        name=FAILING,
                    ),
                ),
            ],
        )
    ]
