"""Hashes of travellers' last names, and the codes under which hotels have a booking, are found by an index.

Both indexes are built while a release serves. Older bookings get their hashes from `manage.py reencrypt`.
"""

import django.contrib.postgres.fields
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models

from apps.common.migrating import AddFieldOnce

BY_LAST_NAMES = """
CREATE INDEX CONCURRENTLY IF NOT EXISTS traveller_last_names ON bookings_travellerkey USING gin (last_names)
    WITH (fastupdate = off)
"""
BY_CONFIRMATION = """
CREATE INDEX CONCURRENTLY IF NOT EXISTS booking_by_confirmation ON bookings_booking ((details ->> 'confirmation_code'))
    WHERE product = 'hotel' AND (details ->> 'confirmation_code') IS NOT NULL
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0011_names_in_the_back_office")]

    operations = [
        AddFieldOnce(
            "travellerkey",
            "last_names",
            django.contrib.postgres.fields.ArrayField(
                models.BinaryField(),
                editable=False,
                help_text="Keyed hashes of the travellers' last names; null: not hashed yet",
                null=True,
            ),
        ),
        migrations.RunSQL("SET lock_timeout = 0", migrations.RunSQL.noop),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(BY_LAST_NAMES, "DROP INDEX CONCURRENTLY IF EXISTS traveller_last_names")
            ],
            state_operations=[
                migrations.AddIndex(
                    "travellerkey",
                    GinIndex(fields=["last_names"], name="traveller_last_names", fastupdate=False),
                )
            ],
        ),
        migrations.RunSQL(BY_CONFIRMATION, "DROP INDEX CONCURRENTLY IF EXISTS booking_by_confirmation"),
        migrations.RunSQL("RESET lock_timeout", migrations.RunSQL.noop),
    ]
