"""How many events told of a booking. Its check is proven by 0021: with the column, every row would be read under its lock."""

from django.db import migrations, models

ADD = [
    "ALTER TABLE bookings_booking ADD COLUMN event_count integer DEFAULT 0 NOT NULL",
    "ALTER TABLE bookings_booking ADD CONSTRAINT bookings_booking_event_count_check CHECK (event_count >= 0) NOT VALID",
]


class Migration(migrations.Migration):
    dependencies = [("bookings", "0014_pack_details_fast")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(ADD, ["ALTER TABLE bookings_booking DROP COLUMN event_count"])
            ],
            state_operations=[
                migrations.AddField(
                    model_name="booking",
                    name="event_count",
                    field=models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="How many events told of it: the last one's sequence",
                    ),
                ),
            ],
        )
    ]
