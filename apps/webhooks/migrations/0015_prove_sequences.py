"""The check of 0008 is proven for the rows of before, while others write."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0014_find_attempts_of_an_endpoint")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE webhooks_event VALIDATE CONSTRAINT webhooks_event_sequence_check",
            migrations.RunSQL.noop,
        )
    ]
