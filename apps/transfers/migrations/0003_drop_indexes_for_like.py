from django.db import migrations

# Django adds to every indexed text column a second index for LIKE, which nothing here asks. Each new row would
# write into it.
INDEXES = {
    "transfers_transfersearch_id_e2541cbe_like": ("transfers_transfersearch", "id"),
}


class Migration(migrations.Migration):
    dependencies = [
        ("transfers", "0002_leaner_foreign_keys"),
    ]

    operations = [
        migrations.RunSQL(
            f"DROP INDEX IF EXISTS {name}",
            f"CREATE INDEX {name} ON {table} ({column} varchar_pattern_ops)",
        )
        for name, (table, column) in INDEXES.items()
    ]
