"""What the model does not express."""

from django.db import migrations

# Nothing searches ids with LIKE.
SQL = """
DROP INDEX places_place_id_6d0ef4ff_like;
"""


class Migration(migrations.Migration):
    dependencies = [("places", "0001_initial")]

    operations = [migrations.RunSQL(SQL, migrations.RunSQL.noop)]
