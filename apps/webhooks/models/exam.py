"""A receiver exam: eight cases are sent to an endpoint of the test environment, and what came back is graded."""

from typing import Any

from django.db import models
from django.db.models import F, Q

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.common.ids import new_id
from apps.webhooks.models.endpoint import Endpoint


def new_exam_id() -> str:
    return new_id("whx")


class ExamStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"  # some case was not answered as expected
    STOPPED = "stopped"  # it could not go on: `stop_reason`


class StopReason(models.TextChoices):
    """Why an exam ended before its last case."""

    UNREACHABLE = "unreachable"  # the first case had no answer at all
    ENDPOINT_DISABLED = "endpoint_disabled"  # or deleted
    OURS = "ours"  # the sending process was lost, again and again


OPEN_EXAM = (ExamStatus.QUEUED, ExamStatus.RUNNING)


class Exam(models.Model):
    """One exam of one endpoint, stored for 30 days. Not a delivery: it never counts towards disabling the endpoint.

    The process that sends holds a lease: a token and an end. Where the lease ends without a result the process has died, and the
    next one sends the same case again.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_exam_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="exams", db_index=False)
    status = models.CharField(max_length=8, choices=ExamStatus, default=ExamStatus.QUEUED)
    stop_reason = models.CharField(max_length=20, choices=StopReason, default="", blank=True)
    results = models.JSONField(
        default=list, help_text="Of each case sent: its name, and every send with its answer"
    )
    lost_count = models.PositiveSmallIntegerField(default=0, help_text="Leases that ended without a result")
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(environment="test"), name="exam_in_test_alone"),
            models.CheckConstraint(condition=Q(status__in=ExamStatus.values), name="exam_status_known"),
            models.UniqueConstraint(
                fields=["endpoint"],
                name="exam_one_open_per_endpoint",
                condition=Q(status__in=["queued", "running"]),
            ),
        ]
        indexes = [
            models.Index(F("account"), F("created_at").desc(), F("id").desc(), name="exam_newest_first"),
            models.Index(F("endpoint"), F("created_at").desc(), F("id").desc(), name="exam_by_endpoint"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_EXAM

    def sends_of(self, case: str) -> list[dict[str, Any]] | None:
        """What was sent for a case, with the answers; None where it was not sent."""
        return next((result["sends"] for result in self.results if result["case"] == case), None)
