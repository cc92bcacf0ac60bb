"""How searches are stored."""

from django.db import migrations

# Nothing searches ids with LIKE. lz4 compresses in a tenth of pglz's time; a PostgreSQL built without it keeps pglz.
STORAGE = """
DROP INDEX transfers_transfersearch_id_e2541cbe_like;
DO $$ BEGIN
    ALTER TABLE transfers_transfersearch ALTER COLUMN offers SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("transfers", "0001_initial")]

    operations = [migrations.RunSQL(STORAGE, migrations.RunSQL.noop)]
