from typing import Any

from django import forms

from apps.ledger.models import MOST_CENTS, MovementState, MovementType, StaffMovement, Wallet


class MovementForm(forms.ModelForm):  # type: ignore[type-arg]
    """An arrival of money, or a correction, as one member of staff proposes it."""

    amount_cents = forms.IntegerField(
        min_value=-MOST_CENTS,
        max_value=MOST_CENTS,
        help_text="Minor units of the wallet's currency; an adjustment may be negative",
    )

    class Meta:
        model = StaffMovement
        fields = ["wallet", "type", "amount_cents", "evidence", "reason", "description"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        wallet, amount_cents = cleaned.get("wallet"), cleaned.get("amount_cents")
        if amount_cents == 0 or (cleaned.get("type") == MovementType.TOP_UP and (amount_cents or 0) < 0):
            self.add_error("amount_cents", "A top-up is above zero, an adjustment not zero.")
        elif (
            isinstance(wallet, Wallet)
            and amount_cents is not None
            and wallet.available_cents + amount_cents < 0
        ):
            self.add_error("amount_cents", f"Only {wallet.available_cents} are available; the rest is held.")
        if cleaned.get("type") == MovementType.TOP_UP and arrived(cleaned.get("evidence")):
            self.add_error("evidence", "This arrival was proposed or credited before.")
        return cleaned


def arrived(evidence: str | None) -> bool:
    """Whether a top-up of any wallet was made on this evidence."""
    return StaffMovement.objects.filter(
        type=MovementType.TOP_UP,
        evidence=evidence,
        state__in=[MovementState.PROPOSED, MovementState.CONFIRMED],
    ).exists()
