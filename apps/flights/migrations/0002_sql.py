"""How searches are stored."""

from django.db import migrations

# Nothing searches ids with LIKE. lz4 compresses in a tenth of pglz's time; a PostgreSQL built without it keeps pglz.
STORAGE = """
DROP INDEX flights_flightsearch_id_a839347a_like, flights_flightchangesearch_id_f16b6222_like,
    flights_flightchangesearch_booking_id_157fe189_like;
DO $$ BEGIN
    ALTER TABLE flights_flightsearch ALTER COLUMN offers SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("flights", "0001_initial")]

    operations = [migrations.RunSQL(STORAGE, migrations.RunSQL.noop)]
