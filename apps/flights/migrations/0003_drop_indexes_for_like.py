from django.db import migrations

# Django adds to every indexed text column a second index for LIKE, which nothing here asks. Each new row would
# write into it.
INDEXES = {
    "flights_flightsearch_id_a839347a_like": ("flights_flightsearch", "id"),
    "flights_flightchangesearch_id_f16b6222_like": ("flights_flightchangesearch", "id"),
    "flights_flightchangesearch_booking_id_157fe189_like": ("flights_flightchangesearch", "booking_id"),
}


class Migration(migrations.Migration):
    dependencies = [
        ("flights", "0002_leaner_foreign_keys"),
    ]

    operations = [
        migrations.RunSQL(
            f"DROP INDEX IF EXISTS {name}",
            f"CREATE INDEX {name} ON {table} ({column} varchar_pattern_ops)",
        )
        for name, (table, column) in INDEXES.items()
    ]
