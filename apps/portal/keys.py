"""The API keys: their list, the page of one, changes to it, rotation, and secrets that are shown once."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict
from apps.common.querysets import capped_words
from apps.gateway.client_ip import client_address
from apps.gateway.operations import operation_named
from apps.keys.models import ApiKey
from apps.keys.scopes import OPENS, default, offered
from apps.keys.selectors import audit_of, key_of, page_of_keys, revoked_keys_of
from apps.keys.services import (
    change_allowed_ips,
    change_expiry,
    change_scopes,
    end_old_secrets,
    issue_key,
    rename_key,
    revoke_key,
    rotate_key,
)
from apps.ledger.spend_limits import limits_of, set_spend_limits
from apps.portal.audit_sentences import counted, limits_in_words, sentences_of
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
from apps.portal.key_forms import (
    EndOldSecretsForm,
    KeyAddressesForm,
    KeyExpiryForm,
    KeyScopesForm,
    KeySpendLimitsForm,
    NewKeyForm,
    RemovedScopesForm,
    RenameKeyForm,
    RotateKeyForm,
    preset_scopes,
)
from apps.portal.key_usage import KeyRow, KeyUsage, usage_of
from apps.portal.lists import ListView
from apps.portal.quick_start import snippets
from apps.portal.templatetags.portal import span
from apps.request_log.selectors import (
    addresses_of,
    counts_by_key,
    last_calls_of,
    operations_of,
    recent_of,
)


class KeyListView(ListView):
    section = "keys"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, cursor = self.portal, self.cursor
        page = page_of_keys(*portal.stored, cursor=cursor)
        now = clock.now(portal.place)
        last_calls = last_calls_of(key.pk for key in page.keys)
        counts = counts_by_key(*portal.stored)
        revoked = [] if cursor else revoked_keys_of(*portal.stored)
        return self.render(
            "portal/keys/index.html",
            {
                "rows": [
                    KeyRow(key, now, last_calls.get(key.pk), *counts.get(key.pk, (0, 0))) for key in page.keys
                ],
                "older": page.older,
                "cursor": cursor,
                "revoked": [KeyRow(key, now) for key in revoked],
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
            "addresses": addresses_of(key),
            "is_expired": key.expires_at is not None and key.expires_at <= clock.now(self.portal.place),
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
        return {"your_address": client_address(self.request), "addresses": addresses_of(self.object)}

    def save(self, form: KeyAddressesForm) -> HttpResponse:
        change_allowed_ips(key=self.object, allowed_ips=form.cleaned_data["allowed_ips"], actor=self.actor)
        return self.done("Saved. The addresses apply from the next call.")


class KeyScopesView(KeyFormView):
    """Removing a scope is confirmed on a second page, which says what stops working."""

    template, form_class = "portal/keys/scopes.html", KeyScopesForm
    reauthenticated_methods = GET_AND_POST

    def initial(self) -> dict[str, Any]:
        having = [scope for scope in offered() if scope in self.object.scopes]
        return {"scopes": preset_scopes(self.request.GET.get("preset", "")) or having}

    def extra_context(self) -> dict[str, Any]:
        return {"kept": [scope for scope in self.object.scopes if scope not in offered()]}

    def save(self, form: KeyScopesForm) -> HttpResponse:
        if self.object.revoked_at is not None:
            return self.revoked_already()
        chosen = form.cleaned_data["scopes"]
        removed = [scope for scope in offered() if scope in self.object.scopes and scope not in chosen]
        if removed and form.cleaned_data["removes"].split() != removed:
            again = RemovedScopesForm(initial={"scopes": chosen, "removes": " ".join(removed)})
            question = question_about_scopes(self.object, chosen, removed)
            return self.render(
                "portal/confirm.html", {"form": again, "question": question, "back": self.address()}
            )
        change_scopes(key=self.object, scopes=chosen, actor=self.actor)
        return self.done("Saved. The scopes apply from the next call.")


class KeyExpiryView(KeyFormView):
    template, form_class = "portal/keys/expiry.html", KeyExpiryForm
    reauthenticated_methods = GET_AND_POST

    def initial(self) -> dict[str, Any]:
        return {"expires_at": self.object.expires_at}

    def save(self, form: KeyExpiryForm) -> HttpResponse:
        key = change_expiry(key=self.object, expires_at=form.cleaned_data["expires_at"], actor=self.actor)
        if key.expires_at is None:
            return self.done("Saved. The key does not expire.")
        return self.done(f"Saved. The key expires on {key.expires_at.day} {key.expires_at:%b %Y, %H:%M} UTC.")


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
                recent_use(self.object),
                "You cannot undo this. A new key has a new secret.",
                "Bookings made with it remain; another key of the account can read and cancel them.",
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

    def initial(self) -> dict[str, Any]:
        return {"scopes": preset_scopes(self.request.GET.get("preset", "")) or default()}

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


def recent_use(key: ApiKey) -> str:
    """`38 calls in the last hour, the last 12 s ago.` Calls are logged in real time, some seconds after they ended."""
    now = clock.now()
    calls, last = recent_of(key, since=now - timedelta(hours=1))
    if last is not None:
        noun = "call" if calls == 1 else "calls"
        return f"{capped_words(calls)} {noun} in the last hour, the last {span(now - last)} ago."
    earlier = last_calls_of([key.pk]).get(key.pk)
    if earlier is None:
        return "No call in the last 30 days."
    return f"No call in the last hour; the last {span(now - earlier.at)} ago."


def question_about_scopes(key: ApiKey, chosen: Collection[str], removed: Collection[str]) -> Question:
    used = operations_of(key, since=clock.now() - timedelta(hours=24))
    scopes_by_operation = {
        name: declared.scopes for name in used if (declared := operation_named(name)) is not None
    }
    consequences = []
    for scope in removed:
        stopping = [
            name
            for name, scopes in scopes_by_operation.items()
            if scope in scopes and not set(scopes) & set(chosen)
        ]
        calls = sum(used[name] for name in stopping)
        said = f"{counted(calls, 'call')} in the last 24 h" if calls else "no call in the last 24 h"
        consequences.append(f"{scope} ({OPENS[scope]}): {said}.")
    if added := [scope for scope in chosen if scope not in key.scopes]:
        consequences.append(f"Added: {', '.join(added)}.")
    return Question(
        heading=f"Remove {counted(len(removed), 'scope')} from “{key.name}”?",
        warning="From the next call on, calls that need them are refused with 403 insufficient_scope.",
        consequences=consequences,
        button="Remove and save",
    )


def question_about(key: ApiKey, usage: KeyUsage) -> Question:
    old = ", ".join(f"{each.secret.prefix}…" for each in usage.ending)
    return Question(
        heading=f"End the old secret of “{key.name}”?",
        warning=f"Every call with {old} is refused from the next second on, with 401 api_key_expired.",
        consequences=[
            who_is_cut_off(usage),
            f"{usage.current.secret.prefix}… remains the only secret of the key.",
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
