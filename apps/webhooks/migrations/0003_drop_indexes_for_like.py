from django.db import migrations

# Django adds to every text primary key a second index for LIKE, which nothing here asks. On these two tables
# each new row, and each change of a delivery, would write into it.
INDEXES = {
    "webhooks_event_id_136b0861_like": "webhooks_event",
    "webhooks_delivery_id_b47d672f_like": "webhooks_delivery",
}


class Migration(migrations.Migration):
    dependencies = [
        ("webhooks", "0002_list_deliveries_by_event_type"),
    ]

    operations = [
        migrations.RunSQL(
            f"DROP INDEX IF EXISTS {name}",
            f"CREATE INDEX {name} ON {table} (id varchar_pattern_ops)",
        )
        for name, table in INDEXES.items()
    ]
