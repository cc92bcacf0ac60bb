"""Bags and seats as they were listed."""

import django.db.models.deletion
from django.db import migrations, models

import apps.common.clock

# As for searches (0002).
STORAGE = """
DO $$ BEGIN
    ALTER TABLE flights_flightservicelist ALTER COLUMN services SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_sql"), ("flights", "0002_sql")]

    operations = [
        migrations.CreateModel(
            name="FlightServiceList",
            fields=[
                ("id", models.CharField(editable=False, max_length=64, primary_key=True, serialize=False)),
                ("environment", models.CharField(choices=[("test", "Test"), ("live", "Live")], max_length=4)),
                (
                    "subject",
                    models.CharField(help_text="The offer's handle, or the order's id", max_length=64),
                ),
                ("services", models.JSONField(help_text="As the supplier gave them (`FlightService`)")),
                ("created_at", models.DateTimeField(default=apps.common.clock.now, editable=False)),
                ("expires_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["created_at"], name="flight_service_list_age")]},
        ),
        migrations.RunSQL(STORAGE, migrations.RunSQL.noop),
    ]
