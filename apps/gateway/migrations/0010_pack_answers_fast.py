"""Stored answers and logged bodies above 2 kB are packed as they are written: by lz4 that takes a tenth of the time."""

from django.db import migrations

from apps.common.compression_migrations import packed_fast


class Migration(migrations.Migration):
    atomic = False  # a lock at a time

    dependencies = [("gateway", "0009_cheaper_checks")]

    operations = [
        packed_fast("gateway_idempotencyrecord", "body"),
        packed_fast("gateway_loggedcall", "request_body"),
        packed_fast("gateway_loggedcall", "response_body"),
    ]
