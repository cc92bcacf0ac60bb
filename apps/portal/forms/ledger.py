from django import forms

from apps.ledger.browsing import Filters
from apps.ledger.models import TransactionType
from apps.portal.forms.filters import ListFilters


class LedgerFilters(ListFilters):
    field_order = ["type", "booking"]

    type = forms.ChoiceField(choices=[("", "Any"), *TransactionType.choices], required=False)
    booking = forms.CharField(label="Booking reference", required=False, max_length=32)

    def filters(self) -> Filters:
        return Filters(
            type=self.said("type"),
            booking_reference=self.said("booking"),
            since=self.begins,
            until=self.ends,
        )
