from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bookings", "0024_forget_travellers"),
    ]

    operations = [
        migrations.AddField(
            model_name="operation",
            name="trace_context",
            field=models.BinaryField(
                help_text="The span that it began in, to be continued later; empty where no trace is recorded",
                null=True,
            ),
        ),
    ]
