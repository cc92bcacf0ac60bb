"""Transfer searches with their offers. Orders themselves are bookings (`apps.bookings`)."""

from django.db import models
from django.db.models import Value

from apps.accounts.models import Account
from apps.common import clock
from apps.common.environments import Environment


class TransferSearch(models.Model):
    """One search and all its offers in one row: a quoteId carries this row's id and its place in `offers`."""

    id = models.CharField(primary_key=True, max_length=64, editable=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+", db_index=False)
    environment = models.CharField(max_length=4, choices=Environment)
    supplier_name = models.CharField(max_length=32)
    markup_bp = models.PositiveIntegerField(help_text="As the account had it when the offers were quoted")
    request = models.JSONField(help_text="What was searched for (`suppliers.base.TransferSearch`)")
    offers = models.JSONField(help_text="As the supplier gave them (`TransferOffer`)")
    withheld = models.JSONField(
        default=dict,
        db_default=Value({}, models.JSONField()),
        help_text="Counts of what is left out (`Withheld`)",
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="transfer_search_age")]

    def __str__(self) -> str:
        return self.id
