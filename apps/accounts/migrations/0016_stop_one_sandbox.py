from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_forget_travellers")]

    operations = [
        migrations.AddField(
            model_name="sandbox",
            name="stopped_at",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="Since when its ledger differs: until staff have looked, it is as of a read-only account",
                null=True,
            ),
        ),
    ]
