"""How idempotency records are stored."""

from django.db import migrations

# The model's check in the form that costs least to parse, which PostgreSQL does with each statement that writes to the table. An
# answer is stored in the place that its record's page keeps free. lz4 compresses in a tenth of pglz's time; a PostgreSQL built
# without it keeps pglz.
STORAGE = """
ALTER TABLE gateway_idempotencyrecord
    DROP CONSTRAINT idempotency_state_known,
    ADD CONSTRAINT idempotency_state_known CHECK (state = ANY ('{running,released,done}'));
ALTER TABLE gateway_idempotencyrecord SET (fillfactor = 50);
DO $$ BEGIN
    ALTER TABLE gateway_idempotencyrecord ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("gateway", "0001_initial")]

    operations = [migrations.RunSQL(STORAGE, migrations.RunSQL.noop)]
