from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="SimulatedWrite",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("product", models.CharField(max_length=16)),
                ("kind", models.CharField(max_length=16)),
                ("client_ref", models.CharField(max_length=64)),
                ("reference", models.CharField(max_length=64)),
                ("sequence", models.PositiveIntegerField()),
                ("record", models.JSONField()),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("product", "client_ref"), name="simulated_write_client_ref"
                    ),
                    models.UniqueConstraint(
                        fields=("product", "reference", "sequence"), name="simulated_write_sequence"
                    ),
                ],
            },
        ),
    ]
