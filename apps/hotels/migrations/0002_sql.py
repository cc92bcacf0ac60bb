"""How searches are stored."""

from django.db import migrations

# Nothing searches ids with LIKE. lz4 compresses in a tenth of pglz's time; a PostgreSQL built without it keeps pglz.
STORAGE = """
DROP INDEX hotels_hotelsearch_id_fe5ea1d0_like;
DO $$ BEGIN
    ALTER TABLE hotels_hotelsearch ALTER COLUMN hotels SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("hotels", "0001_initial")]

    operations = [migrations.RunSQL(STORAGE, migrations.RunSQL.noop)]
