"""Where an event stands: in its booking, among all rows as they were written, and in the feed of its account and environment."""

import django.db.models.deletion
from django.db import migrations, models

import apps.common.clock
import apps.webhooks.models.delivery
from apps.common.at_once import AtOnce

# The default is set after the column is made: with it, every old row would be rewritten. Old rows have no arrival and come first.
ARRIVAL = [
    "CREATE SEQUENCE webhooks_event_arrival AS bigint",
    "ALTER TABLE webhooks_event ADD COLUMN arrival bigint",
    "ALTER SEQUENCE webhooks_event_arrival OWNED BY webhooks_event.arrival",
    "ALTER TABLE webhooks_event ALTER COLUMN arrival SET DEFAULT nextval('webhooks_event_arrival')",
]
# Its check is proven by 0015: with the column, every row would be read under its lock.
SEQUENCE = [
    "ALTER TABLE webhooks_event ADD COLUMN sequence integer",
    "ALTER TABLE webhooks_event ADD CONSTRAINT webhooks_event_sequence_check CHECK (sequence >= 0) NOT VALID",
]


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_sandboxes"),
        ("webhooks", "0007_pack_payloads_fast"),
    ]

    operations = [
        AtOnce(
            [
                migrations.SeparateDatabaseAndState(
                    database_operations=[
                        migrations.RunSQL(SEQUENCE, ["ALTER TABLE webhooks_event DROP COLUMN sequence"]),
                    ],
                    state_operations=[
                        migrations.AddField(
                            model_name="event",
                            name="sequence",
                            field=models.PositiveIntegerField(
                                blank=True,
                                null=True,
                                help_text="Which event of its booking: 1, 2, 3 …; empty before 1.2, and without a booking",
                            ),
                        ),
                    ],
                ),
                migrations.AddField(
                    model_name="event",
                    name="feed_position",
                    field=models.BigIntegerField(
                        editable=False,
                        null=True,
                        help_text="Its place in the feed; empty until somebody reads that far",
                    ),
                ),
                migrations.SeparateDatabaseAndState(
                    database_operations=[
                        migrations.RunSQL(ARRIVAL, ["ALTER TABLE webhooks_event DROP COLUMN arrival"]),
                    ],
                    state_operations=[
                        migrations.AddField(
                            model_name="event",
                            name="arrival",
                            field=models.BigIntegerField(
                                editable=False,
                                null=True,
                                db_default=models.Func(
                                    models.Value("webhooks_event_arrival"), function="nextval"
                                ),
                                help_text="Grows as rows are written: events of one booking are in their sequence by it",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="EventFeed",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "environment",
                            models.CharField(choices=[("test", "Test"), ("live", "Live")], max_length=4),
                        ),
                        ("last_position", models.BigIntegerField(default=0)),
                        ("forgotten_position", models.BigIntegerField(default=0)),
                        (
                            "forgotten_event_id",
                            models.CharField(
                                default=apps.webhooks.models.delivery.new_event_id, max_length=64
                            ),
                        ),
                        ("created_at", models.DateTimeField(default=apps.common.clock.now)),
                        (
                            "account",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="accounts.account",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("account", "environment"), name="event_feed_once"
                            ),
                        ],
                    },
                ),
            ]
        )
    ]
