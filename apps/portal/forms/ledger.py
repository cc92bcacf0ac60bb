from django import forms

from apps.ledger.browsing import Filters
from apps.ledger.models import TransactionType
from apps.portal.forms.days import day_field, midnight


class LedgerFilters(forms.Form):
    type = forms.ChoiceField(choices=[("", "Any"), *TransactionType.choices], required=False)
    booking = forms.CharField(label="Booking reference", required=False, max_length=32)
    since = day_field("From")
    until = day_field("To")

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def filters(self) -> Filters:
        """Of what was readable; a field that is not leaves the list as it is."""
        said = getattr(self, "cleaned_data", {})
        return Filters(
            type=said.get("type", ""),
            booking_reference=said.get("booking", "").strip(),
            since=midnight(said.get("since")),
            until=midnight(said.get("until"), days=1),
        )
