from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_approvers")]

    operations = [
        migrations.AddField(
            "account",
            "approval_four_eyes",
            models.BooleanField(
                default=False,
                db_default=False,
                help_text="Nobody approves a booking of a key that they issued",
            ),
        ),
    ]
