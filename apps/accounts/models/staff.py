"""Our staff: what they looked at across accounts, and what they are mailed."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.accounts.models.account import Account
from apps.accounts.models.people import User
from apps.common import clock
from apps.common.ids import new_id


def new_look_id() -> str:
    return new_id("look")


class Look(models.TextChoices):
    SEARCHED = "searched", "searched for"
    OPENED = "opened", "opened the portal"
    READ = "read", "read the page"
    REFUSED = "refused", "was refused a change on"
    ENDED = "ended", "left the portal"


class StaffLook(models.Model):
    """Appended and never changed: a trigger refuses that. Who of our staff searched all accounts, or read a partner's portal."""

    id = models.CharField(primary_key=True, max_length=64, default=new_look_id, editable=False)
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", db_index=False)
    look = models.CharField(max_length=10, choices=Look)
    what = models.CharField(
        max_length=500, blank=True, help_text="Searched for what, or which page. No secret"
    )
    reason = models.CharField(max_length=255, blank=True)
    account = models.ForeignKey(Account, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    address = models.CharField(max_length=64, default="", blank=True, help_text="Where the request came from")
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        verbose_name = "staff access"
        verbose_name_plural = "staff access log"
        permissions = [("read_partner_portals", "Can read the portals of partners")]
        indexes = [models.Index(fields=["person", "-created_at"], name="staff_look_newest_first")]

    def __str__(self) -> str:
        return f"{self.get_look_display()} {self.what}".strip()


class StaffMailKind(models.TextChoices):
    LIVE_REQUESTS = "live_requests", "A partner asks for live keys"
    REVIEWS = "reviews", "An operation needs a decision of staff"


class StaffMailChoice(models.Model):
    """What one of our staff is mailed. Without a row: nothing."""

    person = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="+")
    kinds = ArrayField(models.CharField(max_length=32, choices=StaffMailKind), default=list, blank=True)

    def __str__(self) -> str:
        return f"{self.person_id}: {', '.join(self.kinds)}"
