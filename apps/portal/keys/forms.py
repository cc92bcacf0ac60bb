"""The forms of API keys. The services decide which names, scopes and addresses are valid."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms

from apps.common.errors import InvalidRequest
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.models import SettlementMode
from apps.keys.offered import of_what_is_sold
from apps.keys.scopes import OPENS, WITHOUT_EFFECT, default, grantable
from apps.keys.services.changes import MAX_NAME_LENGTH, validate_name

PRODUCTS = {
    "account": "Account",
    "ledger": "Account",
    "hotels": "Hotels",
    "flights": "Flights",
    "transfers": "Transfers",
    "esim": "eSIM",
    "webhooks": "Webhooks",
}
OVERLAPS = {
    "0": ("At once", "The old secret stops working now. Choose it when the old one has leaked."),
    "3600": ("1 hour", "For one server that you change by hand."),
    "86400": ("24 hours", "For most: a day to deploy, and to see that nobody uses the old one."),
    "604800": ("7 days", "For many servers, or partners of your own who hold the secret."),
}
ERROR_FIELDS = {
    "name": "name",
    "scopes": "scopes",
    "allowedIps": "allowed_ips",
    "settlementMode": "settlement_mode",
    "overlapSeconds": "overlap",
}
"""The form's field for each field that a service may refuse."""


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    hint: str
    chosen: bool


@contextmanager
def shown_on_field() -> Iterator[None]:
    """Turn a service's refusal into the field's error. So the form shows the errors of all fields at once."""
    try:
        yield
    except InvalidRequest as refusal:
        details: Any = refusal.extras["details"]
        raise forms.ValidationError([detail["message"] for detail in details]) from None


class AddressList(forms.CharField):
    """One address or range on each line; spaces and commas separate entries too. The length allows a hundred entries."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label="Allowed addresses",
            required=False,
            max_length=8_000,
            widget=forms.Textarea(attrs={"rows": 4, "class": "mono"}),
            help_text="One per line: 203.0.113.7, a range such as 198.51.100.0/24, or an IPv6 address. Empty: every address.",
            **kwargs,
        )

    def clean(self, value: Any) -> list[str]:
        entries = [entry for entry in re.split(r"[\s,]+", super().clean(value)) if entry]
        with shown_on_field():
            return parse_allowed_ips(entries)


class KeyName(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label="Name",
            max_length=MAX_NAME_LENGTH,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
            help_text="Where it is used: requests and invoice lines trace back to it.",
            **kwargs,
        )

    def clean(self, value: Any) -> str:
        with shown_on_field():
            return validate_name(super().clean(value))


class NewKeyForm(forms.Form):
    name = KeyName()
    scopes = forms.MultipleChoiceField(
        choices=lambda: [(scope, scope) for scope in grantable()],
        initial=default,
        error_messages={"required": "A key needs at least one scope."},
    )
    allowed_ips = AddressList()
    settlement_mode = forms.ChoiceField(
        label="Settlement", choices=SettlementMode.choices, initial=SettlementMode.PARTNER_MERCHANT
    )

    def scope_groups(self) -> Iterator[tuple[str, list[Choice]]]:
        """By product, in the order of the contract. Scopes without an operation come last."""
        chosen = set(self["scopes"].value() or [])
        groups: dict[str, list[Choice]] = {}
        for scope in of_what_is_sold(OPENS):
            group = groups.setdefault(PRODUCTS[scope.partition(":")[0]], [])
            group.append(Choice(scope, scope, OPENS[scope], scope in chosen))
        yield from groups.items()
        nothing = "opens nothing: no operation asks for it"
        yield "Without effect", [Choice(each, each, nothing, each in chosen) for each in WITHOUT_EFFECT]


class RenameKeyForm(forms.Form):
    name = KeyName()


class KeyAddressesForm(forms.Form):
    allowed_ips = AddressList()


class EndOldSecretsForm(forms.Form):
    """`newest` is the secret that the page named as the one that stays."""

    newest = forms.IntegerField(required=False, widget=forms.HiddenInput)


class RotateKeyForm(forms.Form):
    overlap = forms.ChoiceField(
        label="How long the old secret keeps working",
        choices=[(seconds, label) for seconds, (label, _) in OVERLAPS.items()],
        initial="86400",
    )

    def overlaps(self) -> list[Choice]:
        chosen = self["overlap"].value()
        return [Choice(value, *said, value == chosen) for value, said in OVERLAPS.items()]

    def length(self) -> timedelta:
        return timedelta(seconds=int(self.cleaned_data["overlap"]))
