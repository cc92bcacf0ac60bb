from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from apps.accounts.models import Account
from apps.accounts.payment_reference import accounts_with, is_right, read
from apps.accounts.sandboxes import stored_under
from apps.common.environments import Environment
from apps.common.forms import MoneyField
from apps.common.money import in_words
from apps.ledger.models import MOST_CENTS, MovementState, MovementType, StaffMovement, Wallet

LONGEST_NAME = 255


class AccountField(forms.CharField):
    """An account by its id, its payment reference or its whole name. Cleaned: the account."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        reference = read(text)
        named = (
            Account.objects.filter(pk__in=[text, *accounts_with(reference)])
            or Account.objects.filter(name__iexact=text, sandbox_of=None)
        )  # fmt: skip
        found = list(named.order_by("pk")[:2])
        if len(found) > 1:
            raise ValidationError(f"Several accounts are called {text}. Give the account's id.")
        if not found and reference and not is_right(reference):
            raise ValidationError(
                "The check digits of this payment reference do not match: a character is wrong."
            )
        if not found:
            raise ValidationError("There is no account with this id, payment reference or name.")
        return found[0]


class MovementForm(forms.ModelForm):  # type: ignore[type-arg]
    """An arrival of money, or a correction, as one member of staff proposes it. The wallet is that of account and environment."""

    account = AccountField(
        max_length=LONGEST_NAME,
        help_text="Its payment reference, id, or whole name. A sandbox that is not the account's first has an id of its own.",
        widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
    )
    environment = forms.ChoiceField(
        choices=[
            (Environment.LIVE, "live: a second person confirms it"),
            (Environment.TEST, "test: it moves at once"),
        ],
        widget=forms.RadioSelect,
    )
    amount = forms.CharField(
        max_length=40,
        help_text="In units of the account's currency: 150000.00. A correction may be negative.",
        widget=forms.TextInput(attrs={"class": "vTextField", "inputmode": "decimal", "autocomplete": "off"}),
    )

    class Meta:
        model = StaffMovement
        fields = ["type", "evidence", "reason", "description"]

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["evidence"].required = False  # of live money only

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        wallet = self._wallet()
        if wallet is not None:
            cleaned |= {"wallet": wallet, "amount_cents": self._amount_cents(wallet)}
            self._judge_evidence(wallet)
        return cleaned

    def _wallet(self) -> Wallet | None:
        account, environment = self.cleaned_data.get("account"), self.cleaned_data.get("environment")
        if account is None or not environment:
            return None
        stored = account.pk if account.sandbox_of_id else stored_under(account.pk, environment)
        wallet = Wallet.objects.filter(account=stored, environment=environment).first()
        if wallet is None:
            opens = "The approval for live keys opens it." if environment == Environment.LIVE else ""
            self.add_error("environment", f"{account} has no {environment} wallet. {opens}".strip())
        return wallet

    def _amount_cents(self, wallet: Wallet) -> int | None:
        typed = self.cleaned_data.get("amount")
        if typed is None:
            return None
        field = MoneyField(
            currency=wallet.currency,
            least_cents=-MOST_CENTS,
            most_cents=MOST_CENTS,
            error_messages={"invalid": "Write a number such as 150000.00, without commas or spaces."},
        )
        try:
            cents: int = field.clean(typed)
        except ValidationError as refused:
            self.add_error("amount", refused)
            return None
        if cents == 0 or (self.cleaned_data.get("type") == MovementType.TOP_UP and cents < 0):
            self.add_error("amount", "A top-up is above zero, an adjustment not zero.")
        elif wallet.available_cents + cents < 0:
            available = in_words(wallet.available_cents, wallet.currency)
            self.add_error("amount", f"Only {available} is available; the rest is held.")
        return cents

    def _judge_evidence(self, wallet: Wallet) -> None:
        evidence = self.cleaned_data.get("evidence")
        if wallet.environment == Environment.LIVE and not evidence:
            if "evidence" not in self.errors:
                self.add_error("evidence", "Live money needs it.")
        elif evidence and self.cleaned_data.get("type") == MovementType.TOP_UP and arrived(evidence):
            self.add_error("evidence", "This arrival was proposed or credited before.")

    @property
    def asked(self) -> dict[str, Any]:
        """What the services take."""
        names = ("wallet", "type", "amount_cents", "evidence", "reason", "description")
        return {name: self.cleaned_data[name] for name in names}


def arrived(evidence: str) -> bool:
    """Whether a top-up of any wallet was made on this evidence."""
    return StaffMovement.objects.filter(
        type=MovementType.TOP_UP,
        evidence=evidence,
        state__in=[MovementState.PROPOSED, MovementState.CONFIRMED],
    ).exists()
