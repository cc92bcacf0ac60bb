from django.db import migrations, models

from apps.common.index_migrations import built_beside


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("ledger", "0007_movements_of_staff"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                built_beside("hold_open", "ledger_hold (wallet_id, created_at) WHERE status = 'open'")
            ],
            state_operations=[
                migrations.AddIndex(
                    model_name="hold",
                    index=models.Index(
                        condition=models.Q(("status", "open")),
                        fields=["wallet", "created_at"],
                        name="hold_open",
                    ),
                ),
            ],
        )
    ]
