from decimal import Decimal
from typing import Any

from django import forms

from apps.common.money import exponent, to_cents, to_major
from apps.ledger.browsing import Filters
from apps.ledger.models import TransactionType
from apps.ledger.services.warn_below import MOST_CENTS
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


class WarningForm(forms.Form):
    """From which balance on to warn. An empty amount warns never."""

    amount = forms.DecimalField(localize=False)

    def __init__(self, data: Any = None, *, currency: str, cents: int | None = None) -> None:
        super().__init__(data)
        self.currency = currency
        places = exponent(currency)
        self.fields["amount"] = forms.DecimalField(
            label=f"Warn below, in {currency}",
            required=False,
            min_value=Decimal(1).scaleb(-places),
            max_value=to_major(MOST_CENTS, currency),
            decimal_places=places,
            initial=None if cents is None else to_major(cents, currency),
            help_text="Leave it empty for no warning.",
        )

    @property
    def cents(self) -> int | None:
        amount = self.cleaned_data["amount"]
        return None if amount is None else to_cents(amount, self.currency)
