"""A list of the requests for live keys for the back office, the counts of failed sign-ins, and what members are mailed.

All other data that the portal shows belongs to other apps.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apps.accounts.models import Account, Membership
from apps.common import clock
from apps.common.environments import Environment


class LiveKeyRequest(Account):
    """An account whose owners have asked for live keys, or for another year of them."""

    class Meta:
        proxy = True
        verbose_name = "request for live keys"
        verbose_name_plural = "requests for live keys"


class SignInAttemptCount(models.Model):
    """Attempts at a password or a code, counted for one person or one address, and until when the next one has to wait.

    The row can be deleted after `forget_at`.
    """

    key = models.CharField(
        primary_key=True, max_length=64, help_text="A digest: whose attempts, and from where"
    )
    count = models.PositiveIntegerField(default=0)
    held_until = models.DateTimeField(null=True)
    forget_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "portal_signintries"  # its former name, by which the release before knows it

    def __str__(self) -> str:
        return f"{self.count} until {self.forget_at}"


class NotificationChoice(models.Model):
    """What one member wants to be mailed of one environment. Without a row, and with no kinds: nothing."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="notification_choices")
    environment = models.CharField(max_length=4, choices=Environment)
    kinds = ArrayField(models.CharField(max_length=32), default=list)
    balance_below_cents = models.BigIntegerField(
        null=True, blank=True, help_text="For a low balance: below which amount"
    )
    changed_at = models.DateTimeField(default=clock.now, help_text="What happened before is not mailed")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "environment"], name="notification_choice_once"),
            models.CheckConstraint(
                condition=Q(balance_below_cents__gt=0), name="notification_balance_above_zero"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} {self.environment}: {', '.join(self.kinds)}"


class ToldTrouble(models.Model):
    """A trouble that was mailed for a choice. The row is deleted when the trouble is over: the next one is mailed again."""

    choice = models.ForeignKey(
        NotificationChoice, on_delete=models.CASCADE, related_name="told", db_index=False
    )
    kind = models.CharField(max_length=32)
    subject = models.CharField(
        max_length=128, help_text="Of which endpoint, wallet, day or entry of the trail"
    )
    told_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["choice", "kind", "subject"], name="told_trouble_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
