from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("webhooks", "0015_prove_sequences"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="trace_context",
            field=models.BinaryField(
                help_text="The span that it was written in, to be continued later; empty where no trace is recorded",
                null=True,
            ),
        ),
    ]
