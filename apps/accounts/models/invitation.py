"""Invitations: how people become members. There is no other way to sign up."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from apps.accounts.models.account import Account
from apps.accounts.models.people import Role, User
from apps.common import clock
from apps.common.ids import new_id


def invitation_period() -> timedelta:
    return timedelta(hours=settings.INVITATION_HOURS)


def period_in_words() -> str:
    hours: int = settings.INVITATION_HOURS
    return "an hour" if hours == 1 else f"{hours} hours"


def new_invitation_id() -> str:
    return new_id("inv")


class Invitation(models.Model):
    """The link in the mail is signed over the id and `mails`: another mail ends the link before it."""

    id = models.CharField(primary_key=True, max_length=64, default=new_invitation_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField()
    role = models.CharField(max_length=16, choices=Role)
    invited_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    mails = models.PositiveSmallIntegerField(
        default=1, help_text="How many links were sent; the last one counts"
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)
    sent_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=["owner", "developer", "finance", "approver", "viewer"]),
                name="invitation_role_known",
            ),
            models.UniqueConstraint(
                "account",
                Lower("email"),
                condition=Q(accepted_at=None, withdrawn_at=None),
                name="invitation_open_once_per_address",
            ),
        ]
        indexes = [models.Index(fields=["account", "created_at"], name="invitation_by_account")]

    def __str__(self) -> str:
        return f"{self.email} ({self.role})"

    def is_open(self, now: datetime) -> bool:
        """Whether the link that was sent last can still be used."""
        return self.accepted_at is None and self.withdrawn_at is None and self.expires_at > now
