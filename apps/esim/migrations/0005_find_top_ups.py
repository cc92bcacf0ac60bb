from django.db import migrations

# Over an expression and for one product, as `booking_by_iccid` is: no model names them. The unique one lets one top-up of an eSIM
# be open at a time. Built beside running bookings, however long that takes; what an interrupted run left invalid is built anew.
ORDER = "(details #>> '{top_up_of,order_id}')"
BUILD = [
    "SET statement_timeout = 0",
    "SET lock_timeout = 0",
    "DROP INDEX CONCURRENTLY IF EXISTS booking_top_ups_of_order",
    "DROP INDEX CONCURRENTLY IF EXISTS booking_one_open_top_up",
    f"CREATE INDEX CONCURRENTLY booking_top_ups_of_order ON bookings_booking ({ORDER}, created_at)"
    f" WHERE {ORDER} IS NOT NULL",
    f"CREATE UNIQUE INDEX CONCURRENTLY booking_one_open_top_up ON bookings_booking ({ORDER})"
    f" WHERE {ORDER} IS NOT NULL AND status = 'pending'",
    "RESET statement_timeout",
    "RESET lock_timeout",
]
DROP = [
    "DROP INDEX CONCURRENTLY IF EXISTS booking_top_ups_of_order",
    "DROP INDEX CONCURRENTLY IF EXISTS booking_one_open_top_up",
]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("esim", "0004_top_ups_and_instructions"),
    ]

    operations = [
        migrations.RunSQL(BUILD, reverse_sql=DROP),
    ]
