"""The partner account, its live approval, and the people who may sign in to the portal for it."""

from datetime import datetime, timedelta

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from apps.common import clock
from apps.common.ids import new_id

LIVE_APPROVAL_PERIOD = timedelta(days=365)


def new_account_id() -> str:
    return new_id("acc")


class AccountStatus(models.TextChoices):
    """As spelled on the wire (contract §2): read-only may call GETs that are not billable, suspended nothing."""

    ACTIVE = "active"
    READ_ONLY = "read-only"
    SUSPENDED = "suspended"


def live_approval_state(requested_at: datetime | None, approved_until: datetime | None, now: datetime) -> str:
    """`none`, `requested`, `approved` or `lapsed`: a running approval comes first, then an open request."""
    if approved_until is not None and approved_until > now:
        return "approved"
    if requested_at is not None:
        return "requested"
    return "lapsed" if approved_until else "none"


class Account(models.Model):
    """A travel seller: the owner of keys, wallets and everything sold through them."""

    id = models.CharField(primary_key=True, max_length=64, default=new_account_id, editable=False)
    name = models.CharField(max_length=255)
    status = models.CharField(max_length=16, choices=AccountStatus, default=AccountStatus.ACTIVE)
    currency = models.CharField(max_length=3, help_text="ISO 4217; the currency of both wallets")
    markup_bp = models.PositiveIntegerField(
        default=1000,
        help_text="Default markup in basis points, from which the suggested retail price follows",
    )
    # Overrides of the deployment's limits; empty means the default.
    rate_search = models.PositiveIntegerField(null=True, blank=True)
    rate_booking = models.PositiveIntegerField(null=True, blank=True)
    rate_read = models.PositiveIntegerField(null=True, blank=True)
    search_quota = models.PositiveIntegerField(null=True, blank=True)
    # Live approval: granted by hand, valid 365 days (specification §5).
    live_requested_at = models.DateTimeField(null=True, blank=True)
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

    def may_issue_live_keys(self, now: datetime) -> bool:
        """Whether live keys may be issued or rotated; existing ones keep working either way."""
        return self.live_approved_until is not None and self.live_approved_until > now

    def live_approval_state(self, now: datetime) -> str:
        """`none`, `requested`, `approved` or `lapsed`."""
        return live_approval_state(self.live_requested_at, self.live_approved_until, now)


class UserManager(BaseUserManager["User"]):
    """Users sign in with their e-mail address; there is no user name."""

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})


class User(AbstractUser):
    """A person: staff in the back office, or a member of partner accounts in the portal."""

    username = None  # type: ignore[assignment]
    email = models.EmailField(unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = []

    objects = UserManager()  # type: ignore[assignment,misc]


class Role(models.TextChoices):
    OWNER = "owner"
    DEVELOPER = "developer"
    FINANCE = "finance"
    VIEWER = "viewer"


class Membership(models.Model):
    """What one person may do for one account."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role, default=Role.VIEWER)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "user"], name="membership_once_per_account"),
            models.CheckConstraint(
                condition=Q(role__in=["owner", "developer", "finance", "viewer"]),
                name="membership_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"
