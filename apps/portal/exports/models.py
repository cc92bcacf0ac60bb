"""CSV files that a worker writes, because they have too many rows for an answer. They are stored in parts."""

from datetime import datetime

from django.db import models
from django.db.models import Q

from apps.accounts.models import Account, Membership
from apps.common import clock
from apps.common.ids import new_id

LONGEST_QUERY = 4_000


class ExportStatus(models.TextChoices):
    WAITING = "waiting"
    WRITING = "writing"
    READY = "ready"
    FAILED = "failed"


OPEN = [ExportStatus.WAITING, ExportStatus.WRITING]


def new_export_id() -> str:
    return new_id("exp")


class Export(models.Model):
    """One file. Only the member who asked for it may take it, and only until it expires; then it is deleted with its parts."""

    id = models.CharField(primary_key=True, max_length=64, default=new_export_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    stored_account_id = models.CharField(
        max_length=64, help_text="The account, or the sandbox that was looked at"
    )
    environment = models.CharField(
        max_length=4, blank=True, help_text="Empty for a list of the whole account"
    )
    list = models.CharField(max_length=16)
    query = models.CharField(
        max_length=LONGEST_QUERY, help_text="The filters; the period ends when it was asked for"
    )
    name = models.CharField(max_length=64, help_text="Of the file, without its ending")
    status = models.CharField(max_length=8, choices=ExportStatus, default=ExportStatus.WAITING)
    refusal = models.CharField(
        max_length=255, default="", blank=True, help_text="Why it failed, for the member"
    )
    rows = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)
    cursor = models.CharField(max_length=128, default="", blank=True, help_text="Where the next part begins")
    failures = models.PositiveSmallIntegerField(default=0)
    lease_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    finished_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(help_text="From then on it cannot be taken, and is forgotten")

    class Meta:
        indexes = [
            models.Index(fields=["rows", "created_at"], name="export_open", condition=Q(status__in=OPEN)),
            models.Index(fields=["expires_at"], name="export_expires"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=ExportStatus.values), name="export_status_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.status})"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    def may_be_taken(self, now: datetime) -> bool:
        return self.status == ExportStatus.READY and now < self.expires_at


class ExportPart(models.Model):
    """Rows of a file, as CSV in UTF-8, compressed."""

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField(help_text="From 0")
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["export", "number"], name="export_part_once")]

    def __str__(self) -> str:
        return f"{self.export_id} {self.number}"
