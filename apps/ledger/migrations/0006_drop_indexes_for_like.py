from django.db import migrations

# Django adds to every indexed text column a second index for LIKE, which nothing here asks. Each new row would
# write into it.
INDEXES = {
    "ledger_hold_id_70c5d09b_like": ("ledger_hold", "id"),
    "ledger_transaction_id_25e99f0a_like": ("ledger_transaction", "id"),
}


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0005_room_beside_wallet_rows"),
    ]

    operations = [
        migrations.RunSQL(
            f"DROP INDEX IF EXISTS {name}",
            f"CREATE INDEX {name} ON {table} ({column} varchar_pattern_ops)",
        )
        for name, (table, column) in INDEXES.items()
    ]
