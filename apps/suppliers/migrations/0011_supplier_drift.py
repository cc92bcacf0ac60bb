from django.db import migrations, models

import apps.common.clock


class Migration(migrations.Migration):
    dependencies = [
        ("suppliers", "0010_alert_kind_full_credit"),
    ]

    operations = [
        migrations.CreateModel(
            name="SupplierDrift",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("supplier", models.CharField(max_length=32)),
                ("call", models.CharField(max_length=200)),
                ("path", models.CharField(max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[("unknown", "Unknown"), ("missing", "Missing"), ("type", "Other type")],
                        max_length=16,
                    ),
                ),
                ("is_read", models.BooleanField(help_text="Whether our connector reads this field")),
                (
                    "count",
                    models.PositiveIntegerField(default=1, help_text="Of the answers that were looked at"),
                ),
                ("first_at", models.DateTimeField(default=apps.common.clock.now)),
                ("last_at", models.DateTimeField(default=apps.common.clock.now)),
            ],
            options={
                "verbose_name_plural": "supplier drift",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("supplier", "call", "path", "kind"), name="supplier_drift_once"
                    )
                ],
            },
        ),
    ]
