"""A list of the requests for live keys for the back office, and the counts of failed sign-ins.

All other data that the portal shows belongs to other apps.
"""

from django.db import models

from apps.accounts.models import Account


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
