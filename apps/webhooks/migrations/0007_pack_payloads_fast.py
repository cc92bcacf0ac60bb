"""Payloads above 2 kB are packed as they are written: by lz4 that takes a tenth of the time."""

from django.db import migrations

from apps.common.compression_migrations import packed_fast


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0006_list_recoveries_in_batches")]

    operations = [
        packed_fast("webhooks_event", "payload"),
    ]
