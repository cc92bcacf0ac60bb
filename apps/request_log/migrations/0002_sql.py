"""How the bodies of the request log are stored."""

from django.db import migrations

# lz4 compresses in a tenth of pglz's time; a PostgreSQL built without it keeps pglz.
STORAGE = """
DO $$ BEGIN
    ALTER TABLE request_log_loggedcall
        ALTER COLUMN request_body SET COMPRESSION lz4, ALTER COLUMN response_body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("request_log", "0001_initial")]

    operations = [migrations.RunSQL(STORAGE, migrations.RunSQL.noop)]
