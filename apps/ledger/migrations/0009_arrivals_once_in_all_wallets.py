from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0008_find_open_holds"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="staffmovement", name="movement_arrival_once"),
        migrations.AddConstraint(
            model_name="staffmovement",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["proposed", "confirmed"]), ("type", "top_up")),
                fields=("evidence",),
                name="movement_arrival_once",
            ),
        ),
    ]
