from typing import Any

from django import forms

from apps.common.money_field import MoneyField
from apps.ledger.models import MOST_CENTS
from apps.portal.models import NotificationChoice
from apps.portal.notifications.kinds import Kind, kinds_in
from apps.webhooks.sender.target import MAX_LENGTH


class NotificationsForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        label="Mail me when", required=False, widget=forms.CheckboxSelectMultiple
    )
    balance_below = forms.DecimalField(localize=False)

    def __init__(
        self, data: Any = None, *, environment: str, currency: str, choice: NotificationChoice | None = None
    ) -> None:
        super().__init__(data)
        self.fields["kinds"].choices = [(kind.value, kind.label) for kind in kinds_in(environment)]  # type: ignore[attr-defined]
        self.fields["kinds"].initial = choice.kinds if choice else []
        self.fields["balance_below"] = MoneyField(
            label=f"A low balance is below, in {currency}",
            required=False,
            currency=currency,
            most_cents=MOST_CENTS,
            cents=choice.balance_below_cents if choice else None,
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.cleaned_data
        wanted = Kind.LOW_BALANCE in cleaned.get("kinds", ())
        if wanted and "balance_below" in cleaned and cleaned["balance_below"] is None:
            self.add_error("balance_below", "Enter an amount.")
        return cleaned

    @property
    def balance_below_cents(self) -> int | None:
        cents: int | None = self.cleaned_data["balance_below"]
        return cents


class ChatForm(NotificationsForm):
    """The same for the account's chat. The address is never shown again; left empty it stays."""

    url = forms.CharField(
        label="Address of its incoming webhook",
        required=False,
        max_length=MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"class": "mono", "inputmode": "url", "autocomplete": "off", "placeholder": "https://"}
        ),
        help_text="It receives a POST of JSON with one field, “text”.",
    )
    field_order = ["url", "kinds", "balance_below"]

    def __init__(self, data: Any = None, **named: Any) -> None:
        super().__init__(data, **named)
        self.fields["kinds"].label = "Tell the chat when"
        self.order_fields(self.field_order)
