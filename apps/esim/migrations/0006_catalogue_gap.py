"""Counts of the plans that the catalogue leaves out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("esim", "0005_find_top_ups"),
    ]

    operations = [
        migrations.CreateModel(
            name="CatalogueGap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("environment", models.CharField(choices=[("test", "Test"), ("live", "Live")], max_length=4)),
                ("supplier_name", models.CharField(max_length=32)),
                (
                    "identity_check",
                    models.PositiveIntegerField(
                        help_text="Plans whose buyer would have to prove an identity"
                    ),
                ),
                ("unreadable", models.PositiveIntegerField(help_text="Plans whose data is malformed")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("environment", "supplier_name"), name="catalogue_gap_once"
                    )
                ],
            },
        ),
    ]
