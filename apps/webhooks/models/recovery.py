"""A recovery: what an endpoint missed is sent again, at a limited rate."""

from django.db import models
from django.db.models import F, Q

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment
from apps.common.ids import new_id
from apps.webhooks.models.endpoint import Endpoint


def new_recovery_id() -> str:
    return new_id("whr")


class RecoveryStatus(models.TextChoices):
    CANARY = "canary"  # one delivery is sent; the others wait for its result
    RUNNING = "running"
    HALTED = "halted"  # by itself: the receiver does not accept, or the endpoint is disabled
    STOPPED = "stopped"  # by hand
    FINISHED = "finished"


class HaltReason(models.TextChoices):
    """Why a recovery halted by itself."""

    CANARY_FAILED = "canary_failed"
    FAILURES_IN_A_ROW = "failures_in_a_row"
    ENDPOINT_DISABLED = "endpoint_disabled"


UNDER_WAY = (RecoveryStatus.CANARY, RecoveryStatus.RUNNING)


class Recovery(models.Model):
    """What was asked for, and how far the recovery is.

    Its events are listed as items: the first ones when it starts, the others by the sweep, in groups. Events after its start are
    not among them.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_recovery_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.PROTECT, related_name="recoveries", db_index=False
    )
    selection = models.JSONField(help_text="Since, until, event types, missed ones or not: as asked for")
    per_minute = models.PositiveIntegerField()
    status = models.CharField(max_length=8, choices=RecoveryStatus, default=RecoveryStatus.CANARY)
    halt_reason = models.CharField(max_length=32, choices=HaltReason, null=True, blank=True)
    failures_in_a_row = models.PositiveIntegerField(default=0)
    allowance = models.FloatField(default=0, help_text="Deliveries that the pace admits now")
    paced_at = models.DateTimeField(default=clock.now, help_text="When the allowance was reckoned")
    created_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    listed_to = models.CharField(
        max_length=64, null=True, blank=True, help_text="The last event listed so far; empty when all are"
    )

    class Meta:
        verbose_name_plural = "recoveries"
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint"],
                name="recovery_one_under_way_per_endpoint",
                condition=Q(status__in=["canary", "running"]),
            ),
            models.CheckConstraint(
                condition=Q(status="halted", halt_reason__isnull=False)
                | (~Q(status="halted") & Q(halt_reason=None)),
                name="recovery_halted_has_reason",
            ),
        ]
        indexes = [
            models.Index(
                F("account"), F("environment"), F("created_at").desc(), F("id").desc(), name="recovery_page"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"


class ItemState(models.TextChoices):
    WAITING = "waiting"
    SENT = "sent"  # due at the dispatcher, no result yet
    DELIVERED = "delivered"
    NOT_ACCEPTED = "not_accepted"  # the one more attempt failed
    SKIPPED = "skipped"  # delivered or tried anyway meanwhile, or pruned


class RecoveryItem(models.Model):
    """One event of a recovery, oldest first by id. No foreign keys into the history: pruning must not wait."""

    recovery = models.ForeignKey(Recovery, on_delete=models.CASCADE, related_name="items", db_index=False)
    event_id = models.CharField(max_length=64)
    state = models.CharField(max_length=12, choices=ItemState, default=ItemState.WAITING)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recovery", "event_id"], name="recovery_item_once"),
        ]
        indexes = [
            models.Index(fields=["recovery", "state", "id"], name="recovery_item_next"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.state}"
