"""Half of each wallet page stays free: its rows are updated most often of all and find room to do so."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_refuse_refunds_above_captures")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE ledger_wallet SET (fillfactor = 50)", "ALTER TABLE ledger_wallet RESET (fillfactor)"
        )
    ]
