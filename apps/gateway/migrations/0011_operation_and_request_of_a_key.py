from django.db import migrations, models
from apps.common.at_once import AtOnce


class Migration(migrations.Migration):
    dependencies = [
        ("gateway", "0010_pack_answers_fast"),
    ]

    operations = [
        AtOnce(
            [
                migrations.AddField(
                    model_name="idempotencyrecord",
                    name="operation",
                    field=models.CharField(
                        db_default="",
                        default="",
                        help_text="The OpenAPI operationId of the call",
                        max_length=64,
                    ),
                ),
                migrations.AddField(
                    model_name="idempotencyrecord",
                    name="request_id",
                    field=models.CharField(
                        db_default="", default="", help_text="The call that had the key last", max_length=36
                    ),
                ),
            ]
        )
    ]
