from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("esim", "0002_last_usage_asked_at")]

    operations = [
        migrations.AddField(
            model_name="lastusage",
            name="unanswered_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When a question to the supplier last ended without an answer",
                null=True,
            ),
        ),
    ]
