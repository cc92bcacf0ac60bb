"""Secrets by their first characters. Built while keys are used; an index that an interrupted run left invalid is built anew."""

from django.db import migrations, models

NAME = "key_secret_by_prefix"


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("keys", "0008_keep_keys")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    [
                        "SET statement_timeout = 0",
                        "SET lock_timeout = 0",
                        f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}",
                        f"CREATE INDEX CONCURRENTLY {NAME} ON keys_keysecret (prefix)",
                        "RESET statement_timeout",
                        "RESET lock_timeout",
                    ],
                    [f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}"],
                )
            ],
            state_operations=[
                migrations.AddIndex(model_name="keysecret", index=models.Index(fields=["prefix"], name=NAME)),
            ],
        )
    ]
