from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_statements")]

    operations = [
        migrations.AddField(
            "spendlimit",
            "approval_above_cents",
            models.BigIntegerField(
                null=True, blank=True, help_text="A booking above it awaits approval; empty: none does"
            ),
        ),
    ]
