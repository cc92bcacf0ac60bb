import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_time_zone_of_a_member"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="traveller_retention_days",
            field=models.IntegerField(
                blank=True,
                help_text="How long after the last service of a booking its travellers are known",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(36500),
                ],
            ),
        ),
    ]
