import apps.common.clock
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("suppliers", "0004_refuse_changes_to_rates"),
    ]

    operations = [
        migrations.CreateModel(
            name="SupplierAlert",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("supplier", models.CharField(max_length=32)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("wallet_empty", "Wallet Empty"),
                            ("credentials_refused", "Credentials Refused"),
                            ("quota_used_up", "Quota Used Up"),
                            ("price_above_quote", "Price Above Quote"),
                            ("duplicate_reference", "Duplicate Reference"),
                            ("unresolved", "Unresolved"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "detail",
                    models.CharField(
                        blank=True, help_text="Ours and their references; no traveller", max_length=255
                    ),
                ),
                ("first_at", models.DateTimeField(default=apps.common.clock.now)),
                ("last_at", models.DateTimeField(default=apps.common.clock.now)),
                ("count", models.PositiveIntegerField(default=1)),
                ("cleared_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("cleared_at__isnull", True)),
                        fields=("supplier", "kind", "detail"),
                        name="supplier_alert_open_once",
                    )
                ],
            },
        ),
    ]
