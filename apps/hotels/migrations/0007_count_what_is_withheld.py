"""Counts of the rates that a search leaves out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("hotels", "0006_pack_searches_fast"),
    ]

    operations = [
        migrations.AddField(
            model_name="hotelsearch",
            name="withheld",
            field=models.JSONField(
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                help_text="Counts of what is left out (`Withheld`)",
            ),
        ),
    ]
