"""The indexes of the feed, built beside running bookings; one that an interrupted run left invalid is built anew."""

from django.db import migrations, models
from django.db.models import F, Q


def built(name: str, definition: str, *, unique: bool = False) -> migrations.RunSQL:
    kind = "UNIQUE INDEX" if unique else "INDEX"
    return migrations.RunSQL(
        [
            "SET statement_timeout = 0",
            "SET lock_timeout = 0",
            f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
            f"CREATE {kind} CONCURRENTLY {name} ON webhooks_event {definition}",
            "RESET statement_timeout",
            "RESET lock_timeout",
        ],
        [f"DROP INDEX CONCURRENTLY IF EXISTS {name}"],
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("webhooks", "0008_feed_of_events")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built(
                    "event_sequence_once",
                    "(booking_reference, sequence) WHERE NOT (booking_reference = '')",
                    unique=True,
                ),
                built(
                    "event_feed",
                    "(account_id, environment, feed_position) WHERE feed_position IS NOT NULL",
                    unique=True,
                ),
                built(
                    "event_unplaced",
                    "(account_id, environment, arrival NULLS FIRST, created_at, id) WHERE feed_position IS NULL",
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
