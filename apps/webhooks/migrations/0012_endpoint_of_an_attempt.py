import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0011_tidy_unplaced_events")]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="endpoint",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                help_text="Empty where a process before 1.2 wrote it",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="webhooks.endpoint",
            ),
        ),
    ]
