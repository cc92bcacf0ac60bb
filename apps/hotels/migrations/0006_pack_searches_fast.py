"""Searches are packed as they are stored, and unpacked with each booking of theirs: by lz4 that is quicker."""

from django.db import migrations

from apps.common.compression_migrations import packed_fast


class Migration(migrations.Migration):
    dependencies = [("hotels", "0005_hotel_facts_content")]

    operations = [packed_fast("hotels_hotelsearch", "hotels")]
