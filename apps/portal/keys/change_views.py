"""Changes to one key: its name, its addresses, its revocation."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from apps.common.errors import Conflict
from apps.gateway.client_ip import client_address
from apps.keys.models import ApiKey
from apps.keys.services.change_allowed_ips import change_allowed_ips
from apps.keys.services.rename import rename_key
from apps.keys.services.revoke import revoke_key
from apps.portal.base_view import GET_AND_POST
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import ConfirmView, ObjectFormView, Question
from apps.portal.keys.forms import ERROR_FIELDS, KeyAddressesForm, RenameKeyForm
from apps.portal.keys.views import KeyView


class KeyFormView(KeyView, ObjectFormView[ApiKey]):
    """A form about one key. A revoked key cannot be changed: its form redirects to the key's page."""

    allowed_roles = DEVELOPERS
    object_name = "key"
    error_fields = ERROR_FIELDS

    def get(self, request: HttpRequest, **ids: Any) -> HttpResponse:
        key = self.object_or_404(**ids)
        if key.revoked_at is not None:
            return self.revoked_already(key)
        return self.page(key, self.form(key))

    def conflict(self, key: ApiKey, form: forms.Form, refusal: Conflict) -> HttpResponse:
        return self.revoked_already(key)

    def revoked_already(self, key: ApiKey) -> HttpResponse:
        messages.info(self.request, "This key is revoked and cannot be changed.")
        return self.back(key)


class KeyRenameView(KeyFormView):
    template, form_class = "portal/keys/rename.html", RenameKeyForm

    def initial(self, key: ApiKey) -> dict[str, Any]:
        return {"name": key.name}

    def change(self, key: ApiKey, form: RenameKeyForm) -> HttpResponse:
        renamed = rename_key(key=key, name=form.cleaned_data["name"], actor=self.actor)
        return self.done(renamed, f"The key is called “{renamed.name}” now.")


class KeyAddressesView(KeyFormView):
    template, form_class = "portal/keys/addresses.html", KeyAddressesForm
    reauthenticated_methods = GET_AND_POST

    def initial(self, key: ApiKey) -> dict[str, Any]:
        return {"allowed_ips": "\n".join(key.allowed_ips)}

    def extra_context(self, key: ApiKey) -> dict[str, Any]:
        return {"your_address": client_address(self.request)}

    def change(self, key: ApiKey, form: KeyAddressesForm) -> HttpResponse:
        allowed_ips = form.cleaned_data["allowed_ips"]
        changed = change_allowed_ips(key=key, allowed_ips=allowed_ips, actor=self.actor)
        return self.done(changed, "Saved. The addresses apply from the next call.")


class KeyRevokeView(KeyFormView, ConfirmView[ApiKey]):
    def question(self, key: ApiKey) -> Question:
        return Question(
            heading=f"Revoke “{key.name}”?",
            warning="Every call with this key is refused from the next second on, with 401 api_key_revoked.",
            consequences=[
                "You cannot undo this. A new key has a new secret.",
                "Bookings made with it stand; another key of the account reads and cancels them.",
                "It stays in requests, ledger lines and the audit trail.",
            ],
            button="Revoke the key",
        )

    def change(self, key: ApiKey, form: forms.Form) -> HttpResponse:
        revoke_key(key=key, actor=self.actor)
        return self.done(key, f"“{key.name}” is revoked.")
