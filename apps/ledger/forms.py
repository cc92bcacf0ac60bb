from typing import Any

from django import forms

from apps.ledger.models import LedgerTransaction, TransactionType, Wallet

BY_STAFF = [TransactionType.TOP_UP, TransactionType.ADJUSTMENT]


class StaffTransactionForm(forms.ModelForm):  # type: ignore[type-arg]
    """Money that arrived, or a correction: the steps people take. Every other one follows a booking."""

    wallet = forms.ModelChoiceField(Wallet.objects.select_related("account"))
    type = forms.ChoiceField(choices=[(choice.value, choice.label) for choice in BY_STAFF])
    amount_cents = forms.IntegerField(
        help_text="Minor units of the wallet's currency; an adjustment may be negative"
    )

    class Meta:
        model = LedgerTransaction
        fields = ["wallet", "type", "amount_cents", "reference", "description"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        wallet, amount_cents = cleaned.get("wallet"), cleaned.get("amount_cents")
        if amount_cents == 0 or (cleaned.get("type") == TransactionType.TOP_UP and (amount_cents or 0) < 0):
            self.add_error("amount_cents", "A top-up is above zero, an adjustment not zero.")
        if wallet is not None and amount_cents is not None and wallet.available_cents + amount_cents < 0:
            self.add_error("amount_cents", f"Only {wallet.available_cents} are available; the rest is held.")
        return cleaned
