from django.db import migrations, models
from apps.common.at_once import AtOnce


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0011_count_what_faults_decide"),
        ("ledger", "0012_check_once_what_one_statement_writes"),
    ]

    operations = [
        AtOnce(
            [
                migrations.AddField(
                    model_name="wallet",
                    name="warn_below_cents",
                    field=models.BigIntegerField(
                        blank=True,
                        help_text="Its people are warned when less is available; empty: never",
                        null=True,
                    ),
                ),
                migrations.AddConstraint(
                    model_name="wallet",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("warn_below_cents__gt", 0)), name="wallet_warns_above_zero"
                    ),
                ),
            ]
        )
    ]
