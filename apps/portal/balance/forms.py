from django import forms

from apps.ledger.browsing import Filters
from apps.ledger.models import TransactionType
from apps.portal.list_filters import ListFilters, any_or


class LedgerFilters(ListFilters):
    field_order = ["type", "booking"]

    type = forms.ChoiceField(choices=any_or(TransactionType.choices), required=False)
    booking = forms.CharField(label="Booking reference", required=False, max_length=32)

    def filters(self) -> Filters:
        return Filters(
            type=self.value("type"),
            booking_reference=self.value("booking"),
            since=self.begins,
            until=self.ends,
        )
