"""The people who may sign in to the portal for an account."""

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from apps.accounts.models.account import Account
from apps.common import clock, zones


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
    time_zone = models.CharField(
        max_length=zones.LONGEST_NAME,
        default="",
        db_default="",
        blank=True,
        help_text="IANA name of the zone in which times are shown. Empty: that of the browser",
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = []

    objects = UserManager()  # type: ignore[assignment,misc]


class Role(models.TextChoices):
    OWNER = "owner"
    DEVELOPER = "developer"
    FINANCE = "finance"
    APPROVER = "approver"
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
                condition=Q(role__in=["owner", "developer", "finance", "approver", "viewer"]),
                name="membership_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"
