from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("bookings", "0009_awaiting_approval")]

    operations = [
        migrations.AddField(
            "booking",
            "approval_expires_at",
            models.DateTimeField(
                null=True,
                blank=True,
                help_text="Until when it could be approved; null: it never awaited that",
            ),
        ),
    ]
