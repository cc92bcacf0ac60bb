"""In whose name documents are handed out: what travellers and hotels read of an account."""

from django.db import models

from apps.accounts.models.account import Account

LONGEST_NAME = 120
LONGEST_ADDRESS = 200
LONGEST_PHONE = 32
LONGEST_EMAIL = 100
LONGEST_WEBSITE = 100


class Branding(models.Model):
    """One row for a partner, also for its sandboxes; none until something is set. What is empty is left out of documents."""

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="branding"
    )
    name = models.CharField(
        max_length=LONGEST_NAME, blank=True, default="", db_default="", help_text="Empty: the account's own"
    )
    address = models.CharField(
        max_length=LONGEST_ADDRESS,
        blank=True,
        default="",
        db_default="",
        help_text="Lines of a postal address",
    )
    phone = models.CharField(max_length=LONGEST_PHONE, blank=True, default="", db_default="")
    emergency_phone = models.CharField(max_length=LONGEST_PHONE, blank=True, default="", db_default="")
    email = models.CharField(max_length=LONGEST_EMAIL, blank=True, default="", db_default="")
    website = models.CharField(max_length=LONGEST_WEBSITE, blank=True, default="", db_default="")
    logo = models.BinaryField(
        null=True, blank=True, help_text="A PNG that apps/accounts/logos.py wrote, never what was uploaded"
    )

    class Meta:
        verbose_name_plural = "branding"

    def __str__(self) -> str:
        return self.name or str(self.account)
