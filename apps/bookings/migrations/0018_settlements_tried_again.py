"""When a settlement is due, and how often it failed. What the release before writes is due at once: the database sets it."""

from django.db import migrations, models
from django.db.models.functions import Now

import apps.common.clock
from apps.common.at_once import AtOnce


class Migration(migrations.Migration):
    dependencies = [("bookings", "0017_find_by_update_and_by_failed_key")]

    operations = [
        AtOnce(
            [
                migrations.AddField(
                    model_name="settlement",
                    name="next_attempt_at",
                    field=models.DateTimeField(
                        db_default=Now(),
                        default=apps.common.clock.now,
                        help_text="When a worker may take it; of no meaning once it is settled",
                    ),
                ),
                migrations.AddField(
                    model_name="settlement",
                    name="failures",
                    field=models.IntegerField(
                        db_default=0, default=0, help_text="How often it failed in a row"
                    ),
                ),
                migrations.AddField(
                    model_name="settlement",
                    name="failure",
                    field=models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="Why it failed the last time",
                        max_length=255,
                    ),
                ),
            ]
        )
    ]
