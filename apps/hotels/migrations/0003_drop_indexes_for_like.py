from django.db import migrations

# Django adds to every indexed text column a second index for LIKE, which nothing here asks. Each new row would
# write into it.
INDEXES = {
    "hotels_hotelsearch_id_fe5ea1d0_like": ("hotels_hotelsearch", "id"),
}


class Migration(migrations.Migration):
    dependencies = [
        ("hotels", "0002_leaner_foreign_keys"),
    ]

    operations = [
        migrations.RunSQL(
            f"DROP INDEX IF EXISTS {name}",
            f"CREATE INDEX {name} ON {table} ({column} varchar_pattern_ops)",
        )
        for name, (table, column) in INDEXES.items()
    ]
