from django.db import migrations, models
from apps.common.at_once import AtOnce


class Migration(migrations.Migration):
    dependencies = [
        ("bookings", "0023_fewer_indexes_of_references"),
    ]

    operations = [
        AtOnce(
            [
                migrations.CreateModel(
                    name="TravellerKey",
                    fields=[
                        (
                            "booking_id",
                            models.CharField(
                                editable=False, max_length=64, primary_key=True, serialize=False
                            ),
                        ),
                        ("wrapped", models.BinaryField()),
                    ],
                ),
                migrations.AddField(
                    model_name="booking",
                    name="erased_at",
                    field=models.DateTimeField(
                        blank=True, editable=False, help_text="When its travellers were forgotten", null=True
                    ),
                ),
            ]
        )
    ]
