import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_sandboxes"),
        ("bookings", "0015_count_events"),
    ]

    operations = [
        migrations.CreateModel(
            name="PastKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "record_id",
                    models.BigIntegerField(
                        help_text="The record of the key that was deleted: its operations name it",
                        unique=True,
                    ),
                ),
                (
                    "environment",
                    models.CharField(choices=[("test", "Test"), ("live", "Live")], max_length=4),
                ),
                ("key", models.CharField(max_length=255)),
                (
                    "operation",
                    models.CharField(
                        default="", help_text="The OpenAPI operationId of the call", max_length=64
                    ),
                ),
                ("request_id", models.CharField(default="", max_length=36)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("first_seen_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(null=True)),
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
            options={
                "indexes": [models.Index(fields=["account", "environment", "key"], name="past_key_by_key")],
            },
        ),
    ]
