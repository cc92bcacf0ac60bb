from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_what_staff_look_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="traveller_retention_days",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="How long after the last service of a booking its travellers are known",
                null=True,
            ),
        ),
    ]
