"""How events and deliveries are stored."""

from django.db import migrations

# Each look for new events of a feed walks over what was numbered since the table was last vacuumed, so that is done often: by
# default after a fifth of the table, and without its indexes. Nothing searches ids with LIKE. lz4 compresses in a tenth of pglz's
# time; a PostgreSQL built without it keeps pglz.
STORAGE = """
ALTER SEQUENCE webhooks_event_arrival OWNED BY webhooks_event.arrival;
ALTER TABLE webhooks_event SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, vacuum_index_cleanup = on);
DROP INDEX webhooks_event_id_136b0861_like, webhooks_delivery_id_b47d672f_like;
DO $$ BEGIN
    ALTER TABLE webhooks_event ALTER COLUMN payload SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0001_initial")]

    operations = [migrations.RunSQL(STORAGE, "ALTER SEQUENCE webhooks_event_arrival OWNED BY NONE")]
