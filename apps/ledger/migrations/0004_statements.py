"""Statements of closed months, append-only as the ledger is, and since when a balance is low."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

APPEND_ONLY = """
CREATE TRIGGER ledger_statement_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_statement
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
ALTER TABLE ledger_statement ENABLE ALWAYS TRIGGER ledger_statement_append_only;
"""
DROP = "DROP TRIGGER ledger_statement_append_only ON ledger_statement"


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_sql"), ("ledger", "0003_spend_limits")]

    operations = [
        migrations.CreateModel(
            name="MonthStatement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "environment",
                    models.CharField(choices=[("test", "Test"), ("live", "Live")], max_length=4),
                ),
                ("month", models.DateField(help_text="Its first day")),
                ("currency", models.CharField(max_length=3)),
                ("opening_cents", models.BigIntegerField()),
                ("top_ups_cents", models.BigIntegerField()),
                ("captured_cents", models.BigIntegerField()),
                ("refunded_cents", models.BigIntegerField()),
                ("adjustments_cents", models.BigIntegerField()),
                ("closing_cents", models.BigIntegerField()),
                ("held_cents", models.BigIntegerField(help_text="What of the closing balance is held")),
                ("line_count", models.IntegerField()),
                ("digest", models.CharField(help_text="SHA-256 of the lines", max_length=64)),
                ("closed_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "db_table": "ledger_statement",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["account", "environment", "month"], name="ledger_statement_once"
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            closing_cents=F("opening_cents")
                            + F("top_ups_cents")
                            - F("captured_cents")
                            + F("refunded_cents")
                            + F("adjustments_cents")
                        ),
                        name="ledger_statement_adds_up",
                    ),
                ],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, DROP),
        migrations.AddField(
            "wallet",
            "low_since",
            models.DateTimeField(
                blank=True,
                editable=False,
                help_text="Time of the latest entry when balance.low was sent; empty: not low since",
                null=True,
            ),
        ),
    ]
