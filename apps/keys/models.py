"""API keys, which authenticate calls. A key stays the same through rotations; its secrets change."""

from datetime import datetime

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apps.accounts import clocks
from apps.accounts.models import Account, User
from apps.common import clock
from apps.common.environments import Environment
from apps.common.ids import new_id


def new_key_id() -> str:
    return new_id("key")


class SettlementMode(models.TextChoices):
    """Who is the merchant of record. `traveller_paid` is declared, and refused when chosen (contract §3)."""

    PARTNER_MERCHANT = "partner_merchant"
    TRAVELLER_PAID = "traveller_paid"


class ApiKey(models.Model):
    """One key of an account in one environment, with its scopes and address list. Lines of the ledger name it."""

    id = models.CharField(primary_key=True, max_length=64, default=new_key_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="keys")
    environment = models.CharField(max_length=4, choices=Environment)
    name = models.CharField(max_length=255)
    scopes = ArrayField(models.CharField(max_length=32))
    allowed_ips = ArrayField(models.CharField(max_length=49), default=list, blank=True)
    settlement_mode = models.CharField(
        max_length=20, choices=SettlementMode, default=SettlementMode.PARTNER_MERCHANT
    )
    created_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    changed_at = models.DateTimeField(
        null=True, blank=True, help_text="Last change that a cached copy of the key must not outlive"
    )
    expires_at = models.DateTimeField(
        null=True, blank=True, help_text="From then on no secret of the key works; empty: never"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="At most a minute late")

    class Meta:
        verbose_name = "API key"
        constraints = [
            models.CheckConstraint(
                condition=Q(environment__in=["test", "live"]), name="key_environment_known"
            ),
            models.CheckConstraint(
                condition=Q(settlement_mode__in=["partner_merchant", "traveller_paid"]),
                name="key_settlement_mode_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["changed_at"], name="key_recently_changed", condition=Q(changed_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.id})"

    def now(self) -> datetime:
        """The time in the key's environment."""
        return clocks.now_in(self.account_id, self.environment)


class KeySecret(models.Model):
    """One secret of a key, stored as its SHA-256 alone. A rotation adds one and gives the others an expiry."""

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="secrets")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret, hexadecimal")
    prefix = models.CharField(max_length=16, help_text="The first characters, to recognise the secret by")
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Set by rotation only")
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="At most a minute late")

    class Meta:
        indexes = [models.Index(fields=["prefix"], name="key_secret_by_prefix")]

    def __str__(self) -> str:
        return f"{self.prefix}…"
