"""Each look for new events of a feed walks over what was numbered since the table was last tidied; so that is done often.

By default it waits for a fifth of the table, and leaves indexes alone where few rows are dead: two million in one of ten million.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0010_examine_receivers")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE webhooks_event SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,"
            " vacuum_index_cleanup = on)",
            "ALTER TABLE webhooks_event RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold,"
            " vacuum_index_cleanup)",
        )
    ]
