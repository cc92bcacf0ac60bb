"""The bookings that are due to be polled, of each environment in their order: live ones are taken first.

The index of before is dropped. The release before asks for the same order, and reads this one.
"""

from django.db import migrations, models
from django.db.models import Q

from apps.common.index_migrations import built_beside, dropped_beside

NEW, OLD = "booking_news_due_in", "booking_news_due"
DUE = "WHERE next_news_at IS NOT NULL"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0019_find_settlements_that_are_due")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(NEW, f"bookings_booking (environment, next_news_at) {DUE}"),
                dropped_beside(OLD, f"bookings_booking (next_news_at) {DUE}"),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="booking",
                    index=models.Index(
                        condition=Q(next_news_at__isnull=False),
                        fields=["environment", "next_news_at"],
                        name=NEW,
                    ),
                ),
                migrations.RemoveIndex(model_name="booking", name=OLD),
            ],
        )
    ]
