"""A test environment with keys, wallet, endpoints, clock and faults of its own.

An account begins with one test environment, beside its live one, and needs no row here for it. Every other one, and the first
again once it was reset or its clock moved, is a row. Its keys, bookings and all else belong to an account row of its own
(`Account.sandbox_of` names the partner), so nothing that is read by account and environment can meet another's.
"""

from datetime import timedelta

from django.db import models
from django.db.models import Q

from apps.accounts.models.account import Account
from apps.common import clock

MAX_SANDBOXES = 10
FIRST_NAME = "Sandbox"
"""The name of the test environment that an account begins with."""


class Sandbox(models.Model):
    """One test environment of `owner`. What belongs to it is stored under `account`, environment `test`."""

    account = models.OneToOneField(
        Account,
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="sandbox",
        help_text="Under which its keys and bookings are stored; the owner itself for the first, until a reset",
    )
    owner = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="sandboxes")
    name = models.CharField(max_length=64)
    is_first = models.BooleanField(default=False, help_text="Whether the account began with it")
    clock_offset = models.DurationField(
        default=timedelta(0), help_text="How far its clock is ahead of the real one"
    )
    clock_seen_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When a list by `updatedSince` first met its present clock: who began before may go by an older one",
    )
    faults = models.JSONField(default=dict, blank=True, help_text="Which faults happen there, and how often")
    calls_drawn = models.PositiveBigIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="About how many calls the faults have decided so far",
    )
    deliveries_drawn = models.PositiveBigIntegerField(
        default=0, db_default=0, editable=False, help_text="About how many deliveries they have decided"
    )
    opened_at = models.DateTimeField(default=clock.now, editable=False)
    retired_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when it is no longer in use: it was reset or closed"
    )

    pruned_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Since when nothing of it is left but its keys and its ledger",
    )
    stopped_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Since when its ledger differs: until staff have looked, it is as of a read-only account",
    )

    class Meta:
        verbose_name_plural = "sandboxes"
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "name"], name="sandbox_name_once", condition=Q(retired_at=None)
            ),
            models.UniqueConstraint(
                fields=["owner"], name="sandbox_first_once", condition=Q(retired_at=None, is_first=True)
            ),
            models.CheckConstraint(
                condition=Q(clock_offset__gte=timedelta(0)), name="sandbox_clock_not_behind"
            ),
        ]

    def __str__(self) -> str:
        return self.name
