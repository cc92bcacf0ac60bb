import datetime

from django.db import migrations, models

from apps.common.at_once import AtOnce


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0016_continue_traces")]

    operations = [
        AtOnce(
            [
                migrations.AddField(
                    model_name="endpoint",
                    name="schedule_ahead",
                    field=models.DurationField(
                        db_default=datetime.timedelta(0),
                        default=datetime.timedelta(0),
                        editable=False,
                        help_text="How far the schedule of its deliveries is ahead of the real time; it never goes back",
                    ),
                ),
                migrations.AddField(
                    model_name="endpoint",
                    name="due_from",
                    field=models.DateTimeField(
                        editable=False,
                        help_text="When it was last enabled: what waited became due then, in real time",
                        null=True,
                    ),
                ),
            ]
        ),
    ]
