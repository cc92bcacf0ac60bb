"""The partner account and its live approval."""

from datetime import datetime, timedelta

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from apps.common import clock
from apps.common.ids import new_id

LIVE_APPROVAL_PERIOD = timedelta(days=365)


def new_account_id() -> str:
    return new_id("acc")


class AccountStatus(models.TextChoices):
    """As on the wire (contract §2). A read-only account may call GETs that are not billable; a suspended one nothing."""

    ACTIVE = "active"
    READ_ONLY = "read-only"
    SUSPENDED = "suspended"


def live_approval_state(requested_at: datetime | None, approved_until: datetime | None, now: datetime) -> str:
    """`none`, `requested`, `approved` or `lapsed`. A running approval counts before an open request."""
    if approved_until is not None and approved_until > now:
        return "approved"
    if requested_at is not None:
        return "requested"
    return "lapsed" if approved_until else "none"


class Account(models.Model):
    """A travel seller: it owns keys, wallets and everything sold with them."""

    id = models.CharField(primary_key=True, max_length=64, default=new_account_id, editable=False)
    name = models.CharField(max_length=255)
    status = models.CharField(max_length=16, choices=AccountStatus, default=AccountStatus.ACTIVE)
    currency = models.CharField(max_length=3, help_text="ISO 4217; the currency of both wallets")
    markup_bp = models.PositiveIntegerField(
        default=1000,
        help_text="Default markup in basis points, from which the suggested retail price follows",
    )
    sandbox_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The partner, where this row only holds one of its test environments apart from the others",
    )
    # Overrides of the deployment's limits; empty means the default.
    rate_search = models.PositiveIntegerField(null=True, blank=True)
    rate_booking = models.PositiveIntegerField(null=True, blank=True)
    rate_read = models.PositiveIntegerField(null=True, blank=True)
    search_quota = models.PositiveIntegerField(null=True, blank=True)
    traveller_retention_days = models.IntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(36_500)],
        help_text="How long after the last service of a booking its travellers are known",
    )
    approval_four_eyes = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Members cannot approve bookings of keys that they issued",
    )
    # Live approval: granted by hand, valid 365 days (specification §5).
    live_requested_at = models.DateTimeField(null=True, blank=True)
    live_request_note = models.TextField(
        default="", blank=True, max_length=1000, help_text="What the partner says it will sell, and to whom"
    )
    live_approved_until = models.DateTimeField(null=True, blank=True)
    live_lapse_announced_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["active", "read-only", "suspended"]), name="account_status_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_id(self) -> str:
        """The id of the account as partners know it: that of the partner where this row holds one of its test environments."""
        return self.sandbox_of_id or self.id

    def may_issue_live_keys(self, now: datetime) -> bool:
        """Whether live keys may be issued or rotated; existing ones keep working either way."""
        return self.live_approved_until is not None and self.live_approved_until > now

    def live_approval_state(self, now: datetime) -> str:
        """`none`, `requested`, `approved` or `lapsed`."""
        return live_approval_state(self.live_requested_at, self.live_approved_until, now)
