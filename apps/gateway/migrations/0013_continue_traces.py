from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("gateway", "0012_find_calls_of_a_booking_and_of_a_key"),
    ]

    operations = [
        migrations.AddField(
            model_name="idempotencyrecord",
            name="trace_context",
            field=models.BinaryField(
                help_text="The span of the call that had the key first: its retries are linked to it; empty where none is recorded",
                null=True,
            ),
        ),
    ]
