"""What the model does not express."""

from django.db import migrations

# Nothing searches ids with LIKE. A search reads the index alone, no list of rows that wait to be put into it.
SQL = """
DROP INDEX places_place_id_6d0ef4ff_like;
ALTER INDEX place_keys SET (fastupdate = off);
"""


class Migration(migrations.Migration):
    dependencies = [("places", "0001_initial")]

    operations = [migrations.RunSQL(SQL, migrations.RunSQL.noop)]
