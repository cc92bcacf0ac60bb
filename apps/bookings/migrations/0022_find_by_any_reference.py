"""Bookings by the partner's reference or its beginning, by the supplier's reference, and flights by their PNR.

Built beside running bookings, however long that takes; an index that an interrupted run left invalid is built anew.
"""

from django.db import migrations, models

from apps.common.index_migrations import built_beside

BY_EXTERNAL_REFERENCE = "booking_by_external_beginning"
BY_SUPPLIER_REFERENCE = "booking_by_supplier_reference"
BY_PNR = "booking_by_pnr"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0021_prove_event_counts")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(
                    BY_EXTERNAL_REFERENCE,
                    "bookings_booking (account_id, environment, external_reference varchar_pattern_ops)"
                    " WHERE external_reference IS NOT NULL",
                ),
                built_beside(
                    BY_SUPPLIER_REFERENCE,
                    "bookings_booking (account_id, environment, supplier_reference) WHERE NOT (supplier_reference = '')",
                ),
                # Over an expression and for one product: no model names it.
                built_beside(
                    BY_PNR,
                    "bookings_booking ((details ->> 'pnr')) WHERE product = 'flight' AND (details ->> 'pnr') IS NOT NULL",
                ),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="booking",
                    index=models.Index(
                        condition=models.Q(("external_reference__isnull", False)),
                        fields=["account", "environment", "external_reference"],
                        name=BY_EXTERNAL_REFERENCE,
                        opclasses=["varchar_ops", "varchar_ops", "varchar_pattern_ops"],
                    ),
                ),
                migrations.AddIndex(
                    model_name="booking",
                    index=models.Index(
                        condition=models.Q(("supplier_reference", ""), _negated=True),
                        fields=["account", "environment", "supplier_reference"],
                        name=BY_SUPPLIER_REFERENCE,
                    ),
                ),
            ],
        )
    ]
