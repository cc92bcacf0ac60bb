"""The API keys: their list, the page of one, changes to it, rotation, and secrets that are shown once."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.common.forms import MoneyField
from apps.gateway.client_ip import client_address
from apps.keys.allowed_ips import parse_allowed_ips
from apps.keys.models import ApiKey, SettlementMode
from apps.keys.scopes import OPENS, default, grantable, of_what_is_sold
from apps.keys.selectors import audit_of, key_of, page_of_keys, revoked_keys_of
from apps.keys.services import (
    MAX_NAME_LENGTH,
    change_allowed_ips,
    end_old_secrets,
    issue_key,
    rename_key,
    revoke_key,
    rotate_key,
    validate_name,
)
from apps.ledger.models import MOST_CENTS
from apps.ledger.spend_limits import Limits, limits_of, set_spend_limits
from apps.portal.audit_sentences import limits_in_words, sentences_of
from apps.portal.base import GET_AND_POST
from apps.portal.context import DEVELOPERS, FINANCE, PortalContext
from apps.portal.forms import (
    ConfirmView,
    FormView,
    ObjectFormView,
    ObjectView,
    Question,
    SecretView,
    show_secret,
)
from apps.portal.key_usage import KeyRow, KeyUsage, usage_of
from apps.portal.lists import ListView
from apps.portal.quick_start import snippets
from apps.portal.templatetags.portal import span
from apps.request_log.selectors import last_calls_of

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
        """By product, in the order of the contract. Scopes without an operation are not offered."""
        chosen = set(self["scopes"].value() or [])
        groups: dict[str, list[Choice]] = {}
        for scope in of_what_is_sold(OPENS):
            group = groups.setdefault(PRODUCTS[scope.partition(":")[0]], [])
            group.append(Choice(scope, scope, OPENS[scope], scope in chosen))
        yield from groups.items()


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


class KeyListView(ListView):
    section = "keys"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, cursor = self.portal, self.cursor
        page = page_of_keys(*portal.stored, cursor=cursor)
        last_calls = last_calls_of(key.pk for key in page.keys)
        revoked = [] if cursor else revoked_keys_of(*portal.stored)
        return self.render(
            "portal/keys/index.html",
            {
                "rows": [KeyRow(key, last_calls.get(key.pk)) for key in page.keys],
                "older": page.older,
                "cursor": cursor,
                "revoked": [KeyRow(key, None) for key in revoked],
                "may_create": portal.has_role(DEVELOPERS),
                "approved": is_approved(portal),
            },
        )


class KeyView(ObjectView[ApiKey]):
    section = "keys"

    name, find = "key", staticmethod(key_of)


class KeyDetailView(KeyView):
    template = "portal/keys/detail.html"

    def extra_context(self) -> dict[str, Any]:
        key = self.object
        return {
            "created_by": actor_of(key.created_by).label,
            "usage": usage_of(key),
            "sentences": sentences_of(audit_of(key)),
            "may_change": self.portal.has_role(DEVELOPERS) and key.revoked_at is None,
            "may_limit": self.portal.has_role(FINANCE) and key.revoked_at is None,
            "limits": limits_in_words(limits_of(key), self.portal.account.currency),
        }


def is_approved(portal: PortalContext) -> bool:
    """Whether keys can be created and rotated in this environment. The services decide it again."""
    return portal.environment == Environment.TEST or portal.account.may_issue_live_keys(clock.now())


class KeyFormView(KeyView, ObjectFormView[ApiKey]):
    allowed_roles = DEVELOPERS
    error_fields = {"overlapSeconds": "overlap"}

    def get(self, request: HttpRequest) -> HttpResponse:
        return super().get(request) if self.object.revoked_at is None else self.revoked_already()

    def conflict(self, form: forms.Form, refusal: Conflict) -> HttpResponse:
        return self.revoked_already()

    def revoked_already(self) -> HttpResponse:
        messages.info(self.request, "This key is revoked and cannot be changed.")
        return self.back()


class KeyRenameView(KeyFormView):
    template, form_class = "portal/keys/rename.html", RenameKeyForm

    def initial(self) -> dict[str, Any]:
        return {"name": self.object.name}

    def save(self, form: RenameKeyForm) -> HttpResponse:
        renamed = rename_key(key=self.object, name=form.cleaned_data["name"], actor=self.actor)
        return self.done(f"The key is called “{renamed.name}” now.")


class KeyAddressesView(KeyFormView):
    template, form_class = "portal/keys/addresses.html", KeyAddressesForm
    reauthenticated_methods = GET_AND_POST

    def initial(self) -> dict[str, Any]:
        return {"allowed_ips": "\n".join(self.object.allowed_ips)}

    def extra_context(self) -> dict[str, Any]:
        return {"your_address": client_address(self.request)}

    def save(self, form: KeyAddressesForm) -> HttpResponse:
        change_allowed_ips(key=self.object, allowed_ips=form.cleaned_data["allowed_ips"], actor=self.actor)
        return self.done("Saved. The addresses apply from the next call.")


class KeySpendLimitsView(KeyFormView):
    """For those who answer for the money: a developer does not raise the limits of a key."""

    template, form_class = "portal/keys/spend_limits.html", KeySpendLimitsForm
    allowed_roles = allowed_roles_to_post = FINANCE
    reauthenticated_methods = GET_AND_POST

    def form(self, data: Any = None) -> KeySpendLimitsForm:
        return KeySpendLimitsForm(data, currency=self.portal.account.currency, limits=limits_of(self.object))

    def save(self, form: KeySpendLimitsForm) -> HttpResponse:
        set_spend_limits(key=self.object, limits=form.limits(), actor=self.actor)
        return self.done("Saved. The limits apply from the next booking.")


class KeyRevokeView(KeyFormView, ConfirmView[ApiKey]):
    def question(self) -> Question:
        return Question(
            heading=f"Revoke “{self.object.name}”?",
            warning="Every call with this key is refused from the next second on, with 401 api_key_revoked.",
            consequences=[
                "You cannot undo this. A new key has a new secret.",
                "Bookings made with it stand; another key of the account reads and cancels them.",
                "It stays in requests, ledger lines and the audit trail.",
            ],
            button="Revoke the key",
        )

    def save(self, form: forms.Form) -> HttpResponse:
        revoke_key(key=self.object, actor=self.actor)
        return self.done(f"“{self.object.name}” is revoked.")


class KeyCreateView(FormView):
    section = "keys"
    allowed_roles = DEVELOPERS
    reauthenticated_methods = GET_AND_POST
    template, form_class = "portal/keys/new.html", NewKeyForm

    def extra_context(self) -> dict[str, Any]:
        return {"approved": is_approved(self.portal), "your_address": client_address(self.request)}

    def save(self, form: NewKeyForm) -> HttpResponse:
        portal = self.portal
        key, secret = issue_key(
            account=portal.stored_account,
            environment=portal.environment,
            actor=self.actor,
            **form.cleaned_data,
        )
        return show_secret(self, "key_secret", key.pk, secret)


class KeySecretView(KeyView, SecretView):
    """The page after a key was created or rotated. A second visit redirects to the key's page, which shows no secret."""

    already_shown = "A secret is shown once. If you did not save it, rotate the key."

    def get(self, request: HttpRequest) -> HttpResponse:
        secret = self.take_secret(self.object.pk)
        if secret is None:
            return self.back()
        curl = snippets(settings.PUBLIC_BASE_URL, secret)[0].code
        return self.render("portal/keys/secret.html", {"secret": secret, "curl": curl})


class KeyRotateView(KeyFormView):
    template, form_class = "portal/keys/rotate.html", RotateKeyForm
    reauthenticated_methods = GET_AND_POST

    def extra_context(self) -> dict[str, Any]:
        return {"usage": usage_of(self.object), "approved": is_approved(self.portal)}

    def save(self, form: RotateKeyForm) -> HttpResponse:
        secret = rotate_key(key=self.object, overlap=form.length(), actor=self.actor)
        return show_secret(self, "key_secret", self.object.pk, secret)


class EndOldSecretsView(KeyFormView):
    """The page before the old secret ends. It says whether calls still use that secret.

    The password is not asked for again, because no secret is made or shown.
    """

    template, form_class = "portal/confirm.html", EndOldSecretsForm

    def page(self, form: forms.Form, *, status: int = 200) -> HttpResponse:
        usage = usage_of(self.object)
        if not usage.is_rotating:
            return self.ended_already()
        for refusal in form.non_field_errors():
            messages.warning(self.request, str(refusal))
        fresh = EndOldSecretsForm(initial={"newest": usage.current.secret.pk})
        shown = {"form": fresh, "question": question_about(self.object, usage), "back": self.address()}
        return self.render(self.template, shown, status=status)

    def save(self, form: EndOldSecretsForm) -> HttpResponse:
        if not end_old_secrets(key=self.object, newest=form.cleaned_data["newest"], actor=self.actor):
            return self.ended_already()
        return self.done(f"The newest secret of “{self.object.name}” is the only one that works now.")

    def ended_already(self) -> HttpResponse:
        messages.info(self.request, "No old secret of this key works any more.")
        return self.back()


def question_about(key: ApiKey, usage: KeyUsage) -> Question:
    old = ", ".join(f"{each.secret.prefix}…" for each in usage.ending)
    return Question(
        heading=f"End the old secret of “{key.name}”?",
        warning=f"Every call with {old} is refused from the next second on, with 401 api_key_expired.",
        consequences=[
            who_is_cut_off(usage),
            f"{usage.current.secret.prefix}… goes on as the only secret of the key.",
            "You cannot undo this. Another rotation gives another secret.",
        ],
        button="End the old secret",
    )


def who_is_cut_off(usage: KeyUsage) -> str:
    if usage.has_moved:
        return f"0 calls on the old one for {span(usage.silent_for)}: the traffic has moved."
    if not usage.current.calls:
        return "No call with the new secret yet: servers without it are cut off."
    return f"0 calls on the old one for {span(usage.silent_for)} only: servers that still use it are cut off."
