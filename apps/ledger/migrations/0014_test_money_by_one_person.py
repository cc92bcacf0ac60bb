"""Test money is moved by one person: the rule of the second person holds for live wallets alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0013_warn_below")]

    operations = [
        migrations.AddField(
            model_name="staffmovement",
            name="is_test",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="Of a test wallet: one person moved it",
            ),
        ),
        migrations.RemoveConstraint(model_name="staffmovement", name="movement_decided_by_a_second_person"),
        migrations.AddConstraint(
            model_name="staffmovement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("decided_by__isnull", True),
                    models.Q(("decided_by", models.F("proposed_by")), _negated=True),
                    ("is_test", True),
                    _connector="OR",
                ),
                name="movement_decided_by_a_second_person",
            ),
        ),
    ]
