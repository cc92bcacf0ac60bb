"""The gateway's tables: idempotency records, the day's search quota, and the billable searches behind invoice lines.

That of the periodic tasks is in `periodic.py`.
"""

from django.db import models
from django.db.models import Q

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.gateway.periodic import TaskRecord
from apps.keys.models import ApiKey

__all__ = [
    "IdempotencyRecord",
    "IdempotencyState",
    "SearchQuotaDay",
    "SearchUnit",
    "SearchUsage",
    "TaskRecord",
]


class IdempotencyState(models.TextChoices):
    RUNNING = "running"  # a call has the key until its lease ends
    RELEASED = "released"  # the call ended in a 5xx (or a quota 429); the next call with the key continues
    DONE = "done"  # the answer is stored for 24 h


class IdempotencyRecord(models.Model):
    """One Idempotency-Key of one account and environment: it is claimed, answered once, and replayed for 24 h."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, path and canonical JSON body")
    state = models.CharField(max_length=8, choices=IdempotencyState, default=IdempotencyState.RUNNING)
    lease_token = models.UUIDField()
    lease_until = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(null=True, help_text="The answer as sent; null when `resource` holds it")
    encrypted = models.BooleanField(default=False, help_text="Whether `body` is encrypted: it shows a secret")
    resource = models.CharField(
        max_length=64, default="", help_text="The search record that holds the answer"
    )
    operation = models.CharField(
        max_length=64,
        default="",
        db_default="",
        help_text="The OpenAPI operationId of the call",
    )
    request_id = models.CharField(
        max_length=36, default="", db_default="", help_text="The call that had the key last"
    )
    trace_context = models.BinaryField(
        null=True,
        help_text="The span of the call that had the key first: its retries are linked to it; empty where none is recorded",
    )
    created_at = models.DateTimeField(default=clock.now)
    completed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "environment", "key"], name="idempotency_key_once"),
            models.CheckConstraint(
                condition=Q(state__in=["running", "released", "done"]), name="idempotency_state_known"
            ),
        ]
        # Of nothing that the answer changes: to store it then writes no index entry.
        indexes = [models.Index(fields=["created_at"], name="idempotency_by_age")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.key}"


class SearchQuotaDay(models.Model):
    """How many searches of its quota an account has used on one UTC day in one environment."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    day = models.DateField()
    used = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "environment", "day"], name="search_quota_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.day}: {self.used}"


class SearchUnit(models.Model):
    """What a running search has taken of a day's quota. It lapses when the process dies, and is then given back."""

    id = models.UUIDField(primary_key=True, editable=False)
    quota_day = models.ForeignKey(
        SearchQuotaDay, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )  # only running searches have a row, so a scan costs less than an index
    lapses_at = models.DateTimeField()
    units = models.PositiveSmallIntegerField(default=1, db_default=1)

    def __str__(self) -> str:
        return f"{self.id} until {self.lapses_at}"


class SearchUsage(models.Model):
    """Billable searches by UTC day, product and key: what an invoice line traces back to."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    day = models.DateField()
    product = models.CharField(max_length=16)
    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, related_name="+", db_index=False)
    billable = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "environment", "day", "product", "key"], name="search_usage_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.day} {self.product}: {self.billable}"
