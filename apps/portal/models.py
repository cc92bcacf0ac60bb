"""Requests for live keys for the back office, notifications, and saved views.

All other data that the portal shows belongs to other apps."""

from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apps.accounts.models import Account, Membership, Role
from apps.common import clock
from apps.common.encryption import decrypt
from apps.common.environments import Environment


class LiveKeyRequest(Account):
    """An account whose owners have requested live keys, or for another year of them."""

    class Meta:
        proxy = True
        verbose_name = "request for live keys"
        verbose_name_plural = "requests for live keys"


ON_BY_DEFAULT: dict[str, frozenset[str]] = {
    Role.OWNER: frozenset({"approval", "low_balance"}),
    Role.APPROVER: frozenset({"approval"}),
}
"""The kinds of notifications that a member gets by mail unless they switched them off, by role."""


class NotificationChoice(models.Model):
    """What is reported of one environment to one member, by mail, or to the account's chat. Without a row: what is on by default
    (`ON_BY_DEFAULT`).
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    environment = models.CharField(max_length=4, choices=Environment)
    membership = models.ForeignKey(
        Membership, null=True, on_delete=models.CASCADE, related_name="+", help_text="Empty for a chat"
    )
    # Anyone who knows the address of a chat's incoming webhook can write there.
    chat_url_encrypted = models.TextField(default="", blank=True)
    chat_error = models.CharField(max_length=255, default="", blank=True, help_text="Of the last message")
    kinds = ArrayField(models.CharField(max_length=32), default=list)
    switched_off = ArrayField(
        models.CharField(max_length=32),
        default=list,
        db_default=[],
        blank=True,
        help_text="Kinds that are on by default and are not wanted",
    )
    balance_below_cents = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="For a low balance: below which amount; empty: below what the account warns at",
    )
    changed_at = models.DateTimeField(default=clock.now, help_text="What happened before is not reported")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "environment"], name="notification_choice_once"),
            models.UniqueConstraint(
                fields=["account", "environment"], condition=Q(membership=None), name="notification_one_chat"
            ),
            models.CheckConstraint(
                condition=Q(membership=None) ^ Q(chat_url_encrypted=""), name="notification_mail_or_chat"
            ),
            models.CheckConstraint(
                condition=Q(balance_below_cents__gt=0), name="notification_balance_above_zero"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id or 'chat'} {self.environment}: {', '.join(self.kinds)}"

    @property
    def wanted(self) -> set[str]:
        """The kinds that are reported: the chosen ones, and those that are on by default."""
        role = self.membership.role if self.membership is not None else ""
        return set(self.kinds) | (ON_BY_DEFAULT.get(role, frozenset()) - set(self.switched_off))

    @property
    def chat_url(self) -> str:
        return decrypt(self.chat_url_encrypted)

    @property
    def chat_host(self) -> str:
        return urlsplit(self.chat_url).hostname or ""


class ToldTrouble(models.Model):
    """A problem that was reported for a choice, or will be. The row is removed when the problem is over: the next one is
    reported again.
    """

    choice = models.ForeignKey(
        NotificationChoice, on_delete=models.CASCADE, related_name="told", db_index=False
    )
    kind = models.CharField(max_length=32)
    subject = models.CharField(
        max_length=128, help_text="Of which endpoint, wallet, day or entry of the trail"
    )
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, help_text="When the unfinished attempt began")
    told_at = models.DateTimeField(null=True, help_text="Empty until it was taken")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["choice", "kind", "subject"], name="told_trouble_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


LONGEST_NAME = 60
LONGEST_QUERY = 2_000


class SavedView(models.Model):
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    membership = models.ForeignKey(
        Membership,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="Whose view it is. Empty: it is shared with the account, and stays when its author leaves",
    )
    environment = models.CharField(
        max_length=4, blank=True, help_text="Empty for a list of the whole account"
    )
    list = models.CharField(max_length=16)
    name = models.CharField(max_length=LONGEST_NAME)
    query = models.CharField(max_length=LONGEST_QUERY, help_text="The filters, as in the list's address")
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "environment", "list", "membership", "name"],
                nulls_distinct=False,
                name="saved_view_once_by_name",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.list})"

    @property
    def is_shared(self) -> bool:
        return self.membership_id is None
