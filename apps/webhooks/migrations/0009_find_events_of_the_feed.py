"""The indexes of the feed, built beside running bookings; one that an interrupted run left invalid is built anew."""

from django.db import migrations, models
from django.db.models import F, Q

from apps.common.index_migrations import built_beside


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("webhooks", "0008_feed_of_events")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(
                    "event_sequence_once",
                    "webhooks_event (booking_reference, sequence) WHERE NOT (booking_reference = '')",
                    unique=True,
                ),
                built_beside(
                    "event_feed",
                    "webhooks_event (account_id, environment, feed_position) WHERE feed_position IS NOT NULL",
                    unique=True,
                ),
                built_beside(
                    "event_unplaced",
                    "webhooks_event (account_id, environment, arrival NULLS FIRST, created_at, id) WHERE feed_position IS NULL",
                ),
            ],
            state_operations=[
                migrations.AddConstraint(
                    model_name="event",
                    constraint=models.UniqueConstraint(
                        condition=~Q(booking_reference=""),
                        fields=("booking_reference", "sequence"),
                        name="event_sequence_once",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="event",
                    constraint=models.UniqueConstraint(
                        condition=Q(feed_position__isnull=False),
                        fields=("account", "environment", "feed_position"),
                        name="event_feed",
                    ),
                ),
                migrations.AddIndex(
                    model_name="event",
                    index=models.Index(
                        F("account"),
                        F("environment"),
                        F("arrival").asc(nulls_first=True),
                        F("created_at"),
                        F("id"),
                        name="event_unplaced",
                        condition=Q(feed_position__isnull=True),
                    ),
                ),
            ],
        ),
    ]
