from django.db import migrations

# Django adds to every indexed text column a second index for LIKE, which nothing here asks. Each new row would
# write into it.
INDEXES = {
    "bookings_booking_id_b4749f83_like": ("bookings_booking", "id"),
    "bookings_booking_reference_af3214d4_like": ("bookings_booking", "reference"),
    "bookings_operation_booking_id_b5b90d75_like": ("bookings_operation", "booking_id"),
    "bookings_operation_client_ref_852f988b_like": ("bookings_operation", "client_ref"),
    "bookings_settlement_booking_id_27cec855_like": ("bookings_settlement", "booking_id"),
}


class Migration(migrations.Migration):
    dependencies = [
        ("bookings", "0004_leaner_foreign_keys"),
    ]

    operations = [
        migrations.RunSQL(
            f"DROP INDEX IF EXISTS {name}",
            f"CREATE INDEX {name} ON {table} ({column} varchar_pattern_ops)",
        )
        for name, (table, column) in INDEXES.items()
    ]
