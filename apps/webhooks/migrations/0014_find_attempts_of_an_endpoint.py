from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # deliveries go on while the index is made

    dependencies = [("webhooks", "0013_fill_endpoint_of_recent_attempts")]

    operations = [
        AddIndexConcurrently(
            model_name="attempt",
            index=models.Index(
                condition=models.Q(("endpoint__isnull", False)),
                fields=["endpoint", "-attempted_at"],
                include=("status_code", "error_code", "duration_ms"),
                name="attempt_by_endpoint",
            ),
        ),
    ]
