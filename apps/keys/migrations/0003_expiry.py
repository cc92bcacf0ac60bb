"""The time from which no secret of a key works. Empty: it has no end, as all keys until now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("keys", "0002_sql")]

    operations = [
        migrations.AddField(
            model_name="apikey",
            name="expires_at",
            field=models.DateTimeField(
                blank=True, help_text="From then on no secret of the key works; empty: never", null=True
            ),
        ),
    ]
