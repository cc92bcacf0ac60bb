"""The same holds are refused; PostgreSQL reads a sixth of the check's text with each statement."""

from django.db import migrations

from apps.common.check_migrations import by_function

CONSISTENT = """CASE status
    WHEN 'open' THEN captured_cents = 0 AND resolved_at IS NULL
    WHEN 'captured' THEN captured_cents >= 0 AND resolved_at IS NOT NULL
    WHEN 'released' THEN captured_cents = 0 AND resolved_at IS NOT NULL
    ELSE false
END"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0014_test_money_by_one_person")]

    operations = [
        by_function(
            "ledger_hold",
            {"status": "varchar", "captured_cents": "bigint", "resolved_at": "timestamptz"},
            CONSISTENT,
            name="hold_state_consistent",
        ),
    ]
