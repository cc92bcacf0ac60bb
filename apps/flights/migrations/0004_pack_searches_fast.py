"""Searches are packed as they are stored, and unpacked with each booking of theirs: by lz4 that is quicker."""

from django.db import migrations

from apps.common.compression_migrations import packed_fast


class Migration(migrations.Migration):
    dependencies = [("flights", "0003_drop_indexes_for_like")]

    operations = [packed_fast("flights_flightsearch", "offers")]
