from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("portal", "0002_switched_off")]

    operations = [
        migrations.AddField(
            model_name="toldtrouble",
            name="tried_at",
            field=models.DateTimeField(help_text="When the try began that has not ended", null=True),
        ),
        migrations.AlterField(
            model_name="notificationchoice",
            name="balance_below_cents",
            field=models.BigIntegerField(
                blank=True,
                help_text="For a low balance: below which amount; empty: below what the account warns at",
                null=True,
            ),
        ),
    ]
