from django.db import migrations

# The index is over an expression and for one product: no model names it. Built beside running bookings, however long that takes;
# one that an interrupted run left invalid is built anew.
BUILD = [
    "SET statement_timeout = 0",
    "SET lock_timeout = 0",
    "DROP INDEX CONCURRENTLY IF EXISTS booking_by_iccid",
    "CREATE INDEX CONCURRENTLY booking_by_iccid ON bookings_booking ((details #>> '{profile,iccid}'))"
    " WHERE (details #>> '{profile,iccid}') IS NOT NULL",
    "RESET statement_timeout",
    "RESET lock_timeout",
]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("bookings", "0008_esim_in_words"),
    ]

    operations = [
        migrations.RunSQL(BUILD, reverse_sql=["DROP INDEX CONCURRENTLY IF EXISTS booking_by_iccid"]),
    ]
