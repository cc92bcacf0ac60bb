import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bookings", "0009_find_by_iccid"),
        ("esim", "0003_last_usage_unanswered_at"),
    ]

    operations = [
        migrations.CreateModel(
            name="TopUpOffers",
            fields=[
                (
                    "booking",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="bookings.booking",
                    ),
                ),
                ("plans", models.JSONField(help_text="[TopUpPlan], prices in the supplier's currency")),
                ("read_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="KeptInstructions",
            fields=[
                (
                    "booking",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="bookings.booking",
                    ),
                ),
                ("instructions", models.JSONField(help_text="Instructions")),
                ("read_at", models.DateTimeField()),
            ],
        ),
    ]
