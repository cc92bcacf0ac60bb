from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_prune_retired_sandboxes"),
    ]

    operations = [
        migrations.AddField(
            model_name="sandbox",
            name="clock_seen_at",
            field=models.DateTimeField(
                editable=False,
                help_text="When a list by `updatedSince` first met its present clock: who began before may go by an older one",
                null=True,
            ),
        ),
    ]
