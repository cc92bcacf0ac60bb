"""The filters of a list under a name, for one member or for the whole account."""

from django.db import models

from apps.accounts.models import Account, Membership
from apps.common import clock

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
