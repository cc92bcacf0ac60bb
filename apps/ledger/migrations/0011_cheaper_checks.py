"""The same words are known; PostgreSQL reads the check in less time with each statement."""

from django.db import migrations

from apps.common.check_migrations import one_of


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0010_refuse_truncation")]

    operations = [
        one_of("ledger_wallet", "environment", ["test", "live"], name="wallet_environment_known"),
        one_of(
            "ledger_transaction",
            "type",
            ["top_up", "hold", "capture", "release", "refund", "adjustment"],
            name="ledger_transaction_type_known",
        ),
        one_of(
            "ledger_entry",
            "bucket",
            ["available", "held", "sales", "funding"],
            name="ledger_entry_bucket_known",
        ),
    ]
