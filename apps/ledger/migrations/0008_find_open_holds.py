from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0007_movements_of_staff"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="hold",
            index=models.Index(
                condition=models.Q(("status", "open")), fields=["wallet", "created_at"], name="hold_open"
            ),
        ),
    ]
