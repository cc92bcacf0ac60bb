"""One index of partners' references for equality and beginnings, and one of suppliers' references: two less to write.

The release before asks for whole references, and reads these.
"""

from django.db import migrations, models

from apps.common.index_migrations import built_beside, dropped_beside

BY_EXTERNAL_REFERENCE, BY_SUPPLIER_REFERENCE = (
    "booking_by_partners_reference",
    "booking_by_suppliers_reference",
)
GIVEN = "WHERE external_reference IS NOT NULL"
OPERATORS = [
    "varchar_ops",
    "varchar_ops",
    "varchar_ops",
    "varchar_pattern_ops",
    "timestamptz_ops",
    "varchar_ops",
]
KNOWN = "WHERE NOT (supplier_reference = '')"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("bookings", "0022_find_by_any_reference")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside(
                    BY_EXTERNAL_REFERENCE,
                    "bookings_booking (account_id, environment, product, external_reference varchar_pattern_ops,"
                    f" created_at DESC, id DESC) {GIVEN}",
                ),
                built_beside(BY_SUPPLIER_REFERENCE, f"bookings_booking (supplier_reference) {KNOWN}"),
                dropped_beside(
                    "booking_by_external_reference",
                    "bookings_booking (account_id, environment, product, external_reference, created_at DESC, id DESC)"
                    f" {GIVEN}",
                ),
                dropped_beside(
                    "booking_by_external_beginning",
                    f"bookings_booking (account_id, environment, external_reference varchar_pattern_ops) {GIVEN}",
                ),
                dropped_beside(
                    "booking_at_its_supplier",
                    f"bookings_booking (supplier_reference) {KNOWN} AND NOT (supplier_name = 'simulator')",
                ),
                dropped_beside(
                    "booking_by_supplier_reference",
                    f"bookings_booking (account_id, environment, supplier_reference) {KNOWN}",
                ),
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="booking",
                    index=models.Index(
                        condition=models.Q(("external_reference__isnull", False)),
                        fields=[
                            "account",
                            "environment",
                            "product",
                            "external_reference",
                            "-created_at",
                            "-id",
                        ],
                        name=BY_EXTERNAL_REFERENCE,
                        opclasses=OPERATORS,
                    ),
                ),
                migrations.AddIndex(
                    model_name="booking",
                    index=models.Index(
                        condition=models.Q(("supplier_reference", ""), _negated=True),
                        fields=["supplier_reference"],
                        name=BY_SUPPLIER_REFERENCE,
                    ),
                ),
                migrations.RemoveIndex(model_name="booking", name="booking_by_external_reference"),
                migrations.RemoveIndex(model_name="booking", name="booking_by_external_beginning"),
                migrations.RemoveIndex(model_name="booking", name="booking_at_its_supplier"),
                migrations.RemoveIndex(model_name="booking", name="booking_by_supplier_reference"),
            ],
        )
    ]
