import apps.common.clock
import apps.webhooks.models.exam
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_sandboxes"),
        ("webhooks", "0009_find_events_of_the_feed"),
    ]

    operations = [
        migrations.CreateModel(
            name="Exam",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=apps.webhooks.models.exam.new_exam_id,
                        editable=False,
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("environment", models.CharField(choices=[("test", "Test"), ("live", "Live")], max_length=4)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("passed", "Passed"),
                            ("failed", "Failed"),
                            ("stopped", "Stopped"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                (
                    "stop_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("unreachable", "Unreachable"),
                            ("endpoint_disabled", "Endpoint Disabled"),
                            ("ours", "Ours"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                (
                    "results",
                    models.JSONField(
                        default=list, help_text="Of each case sent: its name, and every send with its answer"
                    ),
                ),
                (
                    "lost_count",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Leases that ended without a result"
                    ),
                ),
                ("lease_token", models.UUIDField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=apps.common.clock.now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
                (
                    "endpoint",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exams",
                        to="webhooks.endpoint",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("account"),
                        models.OrderBy(models.F("created_at"), descending=True),
                        models.OrderBy(models.F("id"), descending=True),
                        name="exam_newest_first",
                    ),
                    models.Index(
                        models.F("endpoint"),
                        models.OrderBy(models.F("created_at"), descending=True),
                        models.OrderBy(models.F("id"), descending=True),
                        name="exam_by_endpoint",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("environment", "test")), name="exam_in_test_alone"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["queued", "running", "passed", "failed", "stopped"])
                        ),
                        name="exam_status_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["queued", "running"])),
                        fields=("endpoint",),
                        name="exam_one_open_per_endpoint",
                    ),
                ],
            },
        ),
    ]
