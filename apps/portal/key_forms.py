"""The forms of API keys, and presets of their scopes."""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms

from apps.common.errors import InvalidRequest
from apps.common.forms import MoneyField
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.models import SettlementMode
from apps.keys.scopes import DEFAULT, OPENS, default, offered
from apps.keys.services import MAX_NAME_LENGTH, validate_name
from apps.ledger.models import MOST_CENTS
from apps.ledger.spend_limits import Limits

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
    "86400": ("24 hours", "For most: a day to deploy, and to see that the old one is no longer used."),
    "604800": ("7 days", "For many servers, or partners of your own who hold the secret."),
}


PRESETS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "search": (
        "Search only",
        lambda scope: scope in ("account:read", "esim:read") or scope.endswith(":search"),
    ),
    "book": ("Search and book", lambda scope: scope in DEFAULT),
    "read": ("Read only", lambda scope: scope.endswith(":read")),
    "everything": ("Everything", lambda _: True),
}
"""The label of each preset of scopes, and which of those on offer it has."""


def preset_scopes(name: str) -> list[str] | None:
    """None for an unknown preset."""
    preset = PRESETS.get(name)
    return preset and [scope for scope in offered() if preset[1](scope)]


def access_label(scopes: Collection[str]) -> str:
    """The label of the preset with these scopes, else how many there are. Scopes without effect make no difference."""
    having = [scope for scope in offered() if scope in scopes]
    for name, (label, _) in PRESETS.items():
        if preset_scopes(name) == having:
            return label
    return f"{len(scopes)} scope{'' if len(scopes) == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    label: str
    scopes: str
    """Separated by spaces."""
    is_chosen: bool


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
            help_text="For example “Booking engine, production”.",
            **kwargs,
        )

    def clean(self, value: Any) -> str:
        with shown_on_field():
            return validate_name(super().clean(value))


class ExpiryDate(forms.DateField):
    """The day at whose beginning, UTC, a key expires; None: never. Its cleaned value is that instant."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label="Expires on",
            required=False,
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "autocomplete": "off"}),
            help_text="From 00:00 UTC on this day calls return 401. Leave it empty for a key that does not expire.",
            **kwargs,
        )

    def clean(self, value: Any) -> datetime | None:
        day: date | None = super().clean(value)
        return datetime.combine(day, time(), UTC) if day else None


class ScopesForm(forms.Form):
    scopes = forms.MultipleChoiceField(
        choices=lambda: [(scope, scope) for scope in offered()],
        initial=default,
        error_messages={"required": "A key needs at least one scope."},
    )

    def scope_groups(self) -> Iterator[tuple[str, list[Choice]]]:
        """By product, in the order of the contract."""
        chosen = set(self["scopes"].value() or [])
        groups: dict[str, list[Choice]] = {}
        for scope in offered():
            group = groups.setdefault(PRODUCTS[scope.partition(":")[0]], [])
            group.append(Choice(scope, scope, OPENS[scope], scope in chosen))
        yield from groups.items()

    def presets(self) -> list[Preset]:
        chosen = set(self["scopes"].value() or []) & set(offered())
        found = [(name, label, preset_scopes(name) or []) for name, (label, _) in PRESETS.items()]
        return [Preset(name, label, " ".join(has), set(has) == chosen) for name, label, has in found]


class NewKeyForm(ScopesForm):
    name = KeyName()
    allowed_ips = AddressList()
    expires_at = ExpiryDate()
    settlement_mode = forms.ChoiceField(
        label="Settlement", choices=SettlementMode.choices, initial=SettlementMode.PARTNER_MERCHANT
    )

    field_order = ("name", "scopes", "allowed_ips", "expires_at", "settlement_mode")


class KeyScopesForm(ScopesForm):
    """`removes` are the scopes that the page named as those that end, separated by spaces."""

    removes = forms.CharField(required=False, widget=forms.HiddenInput)


class RemovedScopesForm(KeyScopesForm):
    """What the confirmation sends again."""

    scopes = forms.MultipleChoiceField(widget=forms.MultipleHiddenInput)


class KeyExpiryForm(forms.Form):
    expires_at = ExpiryDate()


class RenameKeyForm(forms.Form):
    name = KeyName()


class KeyAddressesForm(forms.Form):
    allowed_ips = AddressList()


NO_LIMIT = "Leave it empty for no limit."


class KeySpendLimitsForm(forms.Form):
    """An empty amount is no limit."""

    FIELDS = {
        "per_booking_cents": ("A booking", NO_LIMIT),
        "per_day_cents": ("A UTC day", NO_LIMIT),
        "per_month_cents": ("A UTC month", NO_LIMIT),
        "approval_above_cents": (
            "Approval above",
            "A booking above it waits until an owner or approver decides. Leave it empty for no approval.",
        ),
    }

    def __init__(self, data: Any = None, *, currency: str, limits: Limits) -> None:
        super().__init__(data)
        for name, (label, help_text) in self.FIELDS.items():
            self.fields[name] = MoneyField(
                label=f"{label}, in {currency}",
                required=False,
                currency=currency,
                most_cents=MOST_CENTS,
                least_cents=0,
                cents=getattr(limits, name),
                help_text=help_text,
            )

    def limits(self) -> Limits:
        return Limits(**{name: self.cleaned_data[name] for name in self.FIELDS})


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
