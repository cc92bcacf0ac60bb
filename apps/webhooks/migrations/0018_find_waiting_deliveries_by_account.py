from django.db import migrations, models

from apps.common import clock
from apps.common.index_migrations import built_beside, dropped_beside


class Migration(migrations.Migration):
    atomic = False  # deliveries go on while the index is made

    dependencies = [("webhooks", "0017_schedule_of_an_endpoint")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(
                    "delivery_waiting",
                    "webhooks_delivery (endpoint_id, account_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL",
                ),
                # The release before finds its endpoints and their due deliveries by the new index as well.
                dropped_beside(
                    "delivery_due",
                    "webhooks_delivery (endpoint_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL",
                ),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="delivery",
                    index=models.Index(
                        condition=models.Q(("next_attempt_at__isnull", False)),
                        fields=["endpoint", "account", "next_attempt_at"],
                        name="delivery_waiting",
                    ),
                ),
                migrations.RemoveIndex(model_name="delivery", name="delivery_due"),
                migrations.AlterField(
                    model_name="delivery",
                    name="next_attempt_at",
                    field=models.DateTimeField(
                        blank=True,
                        default=clock.now,
                        help_text="In the schedule of the endpoint (`schedule_ahead`); empty when finished",
                        null=True,
                    ),
                ),
            ],
        ),
    ]
