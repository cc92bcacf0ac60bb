"""Where a partner listens."""

from datetime import datetime, timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from apps.accounts import clocks
from apps.accounts.models import Account
from apps.common import clock
from apps.common.encryption import decrypt
from apps.common.environments import Environment
from apps.common.ids import new_id


def new_endpoint_id() -> str:
    return new_id("we")


class EndpointStatus(models.TextChoices):
    ENABLED = "enabled"
    DISABLED = "disabled"


class DisabledReason(models.TextChoices):
    """Why an endpoint receives nothing."""

    CONSECUTIVE_FAILURES = "consecutive_failures"  # ten deliveries in a row ended failed or exhausted
    BY_PARTNER = "disabled_by_partner"


class Endpoint(models.Model):
    """A URL of a partner, the event types it is sent, and the secret that signs them.

    Deleting keeps the row, without its secrets, so that the history of its deliveries stays readable.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_endpoint_id, editable=False)
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="webhook_endpoints", db_index=False
    )
    environment = models.CharField(max_length=4, choices=Environment)
    url = models.CharField(max_length=2048)
    events = ArrayField(models.CharField(max_length=64))
    description = models.CharField(max_length=255, default="", blank=True)
    status = models.CharField(max_length=8, choices=EndpointStatus, default=EndpointStatus.ENABLED)
    disabled_reason = models.CharField(max_length=32, choices=DisabledReason, null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    consecutive_failures = models.PositiveSmallIntegerField(
        default=0, help_text="Deliveries in a row that ended failed or exhausted"
    )
    # Whatever becomes due earlier for all of its deliveries (the endpoint is enabled, the clock of its test environment moves) is
    # written here alone: however many wait, none of their rows is written.
    schedule_ahead = models.DurationField(
        default=timedelta(0),
        db_default=timedelta(0),
        editable=False,
        help_text="How far the schedule of its deliveries is ahead of the real time; it never goes back",
    )
    due_from = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When it was last enabled: what waited became due then, in real time",
    )
    secret_encrypted = models.TextField()
    previous_secret_encrypted = models.TextField(default="", blank=True)
    previous_secret_expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    updated_at = models.DateTimeField(default=clock.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(environment__in=["test", "live"]), name="endpoint_environment"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["enabled", "disabled"]), name="endpoint_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status="enabled", disabled_at=None)
                | Q(status="disabled", disabled_at__isnull=False),
                name="endpoint_disabled_at",
            ),
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(status="disabled", secret_encrypted=""),
                name="endpoint_deleted_has_no_secret",
            ),
        ]
        indexes = [
            models.Index(
                F("account"), F("environment"), F("created_at").desc(), F("id").desc(), name="endpoint_page"
            ),
        ]

    def __str__(self) -> str:
        return self.url

    def now(self) -> datetime:
        """The time in the endpoint's environment."""
        return clocks.now_in(self.account_id, self.environment)

    def due_at(self, next_attempt_at: datetime) -> datetime:
        """The real time at which a delivery of this schedule is due."""
        due = next_attempt_at - self.schedule_ahead
        return due if self.due_from is None else max(due, self.due_from)

    @property
    def secret(self) -> str:
        """The current signing secret, shown only where it is made."""
        return decrypt(self.secret_encrypted)
