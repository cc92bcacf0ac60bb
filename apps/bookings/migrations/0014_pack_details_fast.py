"""Rows above 2 kB are packed as they are written, and most bookings are: by lz4 that takes a tenth of the time."""

from django.db import migrations

from apps.common.compression_migrations import packed_fast


class Migration(migrations.Migration):
    atomic = False  # a lock at a time

    dependencies = [("bookings", "0013_index_keys_once")]

    operations = [
        packed_fast("bookings_booking", "details"),
        packed_fast("bookings_operation", "request"),
        packed_fast("bookings_operation", "prepared"),
    ]
