"""Bookings carry the reference of a trip, and are found by it and by the day on which their service begins.

The day is read from the details, as the PNR and the ICCID are: so it is right for every booking, also for those that the previous
release makes or changes meanwhile, and nothing has to be filled in.
"""

from django.db import migrations, models
from django.db.models import Q

from apps.common.migrating import AddFieldOnce

# As `selectors.SERVICE_DAY` has it.
SERVICE_DAY = (
    "CASE product WHEN 'hotel' THEN details ->> 'check_in' "
    "WHEN 'flight' THEN left(details #>> '{slices,0,leg,departure_at}', 10) "
    "WHEN 'transfer' THEN left(details #>> '{search,outbound}', 10) END"
)
# One statement each, for an index is built concurrently outside a transaction. What is left of an attempt that was ended is no
# index that could be used.
OF_TRIP = (
    "SET lock_timeout = 0",
    "DROP INDEX CONCURRENTLY IF EXISTS booking_of_trip",
    "CREATE INDEX CONCURRENTLY booking_of_trip ON bookings_booking "
    "(account_id, environment, product, trip_reference, created_at DESC, id DESC) WHERE trip_reference IS NOT NULL",
    "DROP INDEX CONCURRENTLY IF EXISTS booking_by_service_day",
    "CREATE INDEX CONCURRENTLY booking_by_service_day ON bookings_booking "
    f"(account_id, environment, product, ({SERVICE_DAY}))",
    "RESET lock_timeout",
)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("bookings", "0006_corrections_and_refunds")]

    operations = [
        AddFieldOnce(
            model_name="booking",
            name="trip_reference",
            field=models.CharField(
                blank=True, help_text="Shared by the bookings of a trip", max_length=64, null=True
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(one, migrations.RunSQL.noop) for one in OF_TRIP],
            state_operations=[
                migrations.AddIndex(
                    model_name="booking",
                    index=models.Index(
                        condition=Q(trip_reference__isnull=False),
                        fields=["account", "environment", "product", "trip_reference", "-created_at", "-id"],
                        name="booking_of_trip",
                    ),
                ),
            ],
        ),
    ]
