"""The check of 0015 is proven for the rows of before, while others write."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("bookings", "0020_find_polls_by_environment")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE bookings_booking VALIDATE CONSTRAINT bookings_booking_event_count_check",
            migrations.RunSQL.noop,
        )
    ]
