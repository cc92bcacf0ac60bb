from typing import Any

from django import forms

from apps.common.money_field import MoneyField
from apps.ledger.browsing import Filters
from apps.ledger.models import MOST_CENTS, TransactionType
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
        self.fields["amount"] = MoneyField(
            label=f"Warn below, in {currency}",
            required=False,
            currency=currency,
            most_cents=MOST_CENTS,
            cents=cents,
            help_text="Leave it empty for no warning.",
        )

    @property
    def cents(self) -> int | None:
        cents: int | None = self.cleaned_data["amount"]
        return cents
