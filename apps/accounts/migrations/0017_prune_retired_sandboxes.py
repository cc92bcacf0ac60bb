from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0016_stop_one_sandbox")]

    operations = [
        migrations.AddField(
            model_name="sandbox",
            name="pruned_at",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="Since when nothing of it is left but its keys and its ledger",
                null=True,
            ),
        ),
    ]
