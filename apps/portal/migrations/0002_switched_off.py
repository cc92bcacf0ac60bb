import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("portal", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="notificationchoice",
            name="switched_off",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=32),
                blank=True,
                db_default=[],
                default=list,
                help_text="Kinds that are on by default and are not wanted",
                size=None,
            ),
        ),
    ]
