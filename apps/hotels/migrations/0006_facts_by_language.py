"""A hotel is described once in each language, no longer once."""

from django.db import migrations, models
from django.db.models import F

# One statement each, for an index is built concurrently outside a transaction. The previous release names no constraint where it
# adds rows, and reads those of all languages for English until it is gone.
ONCE_A_LANGUAGE = (
    "SET lock_timeout = 0",
    # What is left of an attempt that was ended is no index that could be used.
    "DROP INDEX CONCURRENTLY IF EXISTS hotel_facts_once_a_language",
    "CREATE UNIQUE INDEX CONCURRENTLY hotel_facts_once_a_language "
    "ON hotels_hotelfacts (supplier_name, hotel_id, language)",
    "RESET lock_timeout",
    "ALTER TABLE hotels_hotelfacts DROP CONSTRAINT IF EXISTS hotel_facts_once",
    # As the hotels of searches: lz4 takes a tenth of the time; a PostgreSQL without it keeps pglz.
    """
DO $$ BEGIN
    ALTER TABLE hotels_hotelfacts ALTER COLUMN details SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
""",
)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("hotels", "0005_properties")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(one, migrations.RunSQL.noop) for one in ONCE_A_LANGUAGE],
            state_operations=[
                migrations.RemoveConstraint(model_name="hotelfacts", name="hotel_facts_once"),
                migrations.AddConstraint(
                    model_name="hotelfacts",
                    constraint=models.UniqueConstraint(
                        F("supplier_name"), F("hotel_id"), F("language"), name="hotel_facts_once_a_language"
                    ),
                ),
            ],
        ),
    ]
