from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # the trail can be written while its index is made

    dependencies = [("accounts", "0008_keep_trails_whole")]

    operations = [
        AddIndexConcurrently(
            model_name="accountauditentry",
            index=models.Index(fields=["subject_id", "-created_at", "-id"], name="account_audit_by_subject"),
        ),
    ]
