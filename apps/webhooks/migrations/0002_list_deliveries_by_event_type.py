from django.db import migrations, models
from django.db.models import F, OrderBy


class Migration(migrations.Migration):
    dependencies = [
        ("webhooks", "0001_initial"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                F("account"),
                F("environment"),
                F("event_type"),
                OrderBy(F("created_at"), descending=True),
                OrderBy(F("id"), descending=True),
                name="delivery_page_by_type",
            ),
        ),
    ]
