import apps.common.clock
import datetime
import django.db.models.deletion
from django.db import migrations, models
from apps.common.at_once import AtOnce


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_find_entries_by_subject"),
    ]

    operations = [
        AtOnce(
            [
                migrations.AddField(
                    model_name="account",
                    name="sandbox_of",
                    field=models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="The partner, where this row only holds one of its test environments apart from the others",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
                migrations.CreateModel(
                    name="Sandbox",
                    fields=[
                        (
                            "account",
                            models.OneToOneField(
                                help_text="Under which its keys and bookings are stored; the owner itself for the first, until a reset",
                                on_delete=django.db.models.deletion.PROTECT,
                                primary_key=True,
                                related_name="sandbox",
                                serialize=False,
                                to="accounts.account",
                            ),
                        ),
                        ("name", models.CharField(max_length=64)),
                        (
                            "is_first",
                            models.BooleanField(default=False, help_text="Whether the account began with it"),
                        ),
                        (
                            "clock_offset",
                            models.DurationField(
                                default=datetime.timedelta(0),
                                help_text="How far its clock is ahead of the real one",
                            ),
                        ),
                        (
                            "faults",
                            models.JSONField(
                                blank=True, default=dict, help_text="Which faults happen there, and how often"
                            ),
                        ),
                        ("opened_at", models.DateTimeField(default=apps.common.clock.now, editable=False)),
                        (
                            "retired_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Since when it is no longer in use: it was reset or closed",
                                null=True,
                            ),
                        ),
                        (
                            "owner",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="sandboxes",
                                to="accounts.account",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "sandboxes",
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("retired_at", None)),
                                fields=("owner", "name"),
                                name="sandbox_name_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("is_first", True), ("retired_at", None)),
                                fields=("owner",),
                                name="sandbox_first_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("clock_offset__gte", datetime.timedelta(0))),
                                name="sandbox_clock_not_behind",
                            ),
                        ],
                    },
                ),
            ]
        )
    ]
