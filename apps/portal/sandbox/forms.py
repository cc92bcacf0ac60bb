"""The forms of the page Sandbox. The services decide which names and amounts are valid."""

from typing import Any

from django import forms

from apps.accounts.models import Sandbox
from apps.common.ids import new_id
from apps.common.money import in_words, to_cents
from apps.common.money_field import MoneyField
from apps.ledger.services.add_test_funds import MOST_AT_ONCE_CENTS
from apps.ledger.services.open_wallet import OPENING_BALANCE

ERROR_FIELDS = {"name": "name", "amountCents": "amount"}
"""The form's field for each field that a service may refuse."""


class SandboxNameForm(forms.Form):
    name = forms.CharField(
        max_length=Sandbox._meta.get_field("name").max_length,
        help_text="Such as the system that uses it: CI, Staging, Ada.",
    )


class FundsForm(forms.Form):
    """`once` makes a form that is sent twice add its amount once."""

    amount = forms.DecimalField(localize=False)
    once = forms.RegexField(r"fund_[0-9a-z]{26}", max_length=40, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, currency: str) -> None:
        initial = {"amount": OPENING_BALANCE, "once": new_id("fund")}
        super().__init__(data, initial=initial)
        self.currency = currency
        self.fields["amount"] = MoneyField(
            label=f"Amount in {currency}", currency=currency, most_cents=MOST_AT_ONCE_CENTS
        )

    @property
    def usual(self) -> str:
        """What the button adds, in words: as much as a wallet opens with."""
        return in_words(to_cents(OPENING_BALANCE, self.currency), self.currency)

    @property
    def cents(self) -> int:
        cents: int = self.cleaned_data["amount"]
        return cents

    @property
    def reference(self) -> str:
        return f"{self.cleaned_data['once']}:{self.cents}"
