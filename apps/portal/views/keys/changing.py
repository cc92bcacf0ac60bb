"""What may be done to a key that stands: name, addresses, rotation, revocation."""

from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.gateway.client_ip import client_address
from apps.gateway.errors import Conflict, InvalidRequest
from apps.keys.models import ApiKey
from apps.keys.services.change_allowed_ips import change_allowed_ips
from apps.keys.services.rename import rename_key
from apps.keys.services.revoke import revoke_key
from apps.keys.services.rotate import rotate_key
from apps.portal.forms import keys as forms
from apps.portal.forms.refusals import say
from apps.portal.key_use import use_of
from apps.portal.place import DEVELOPERS
from apps.portal.shown_once import keep
from apps.portal.views.keys.issuing import is_approved
from apps.portal.views.keys.one import KeyView


class ChangeKey(KeyView):
    """A form about one key. `change` calls the service and says where to go next."""

    may = DEVELOPERS
    template: str
    form_class: type[django_forms.Form]

    def initial(self, key: ApiKey) -> dict[str, Any]:
        return {}

    def context(self, key: ApiKey) -> dict[str, Any]:
        return {}

    def change(self, key: ApiKey, form: Any) -> HttpResponse:
        raise NotImplementedError

    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key = self.key(key_id)
        if key.revoked_at is not None:
            return self.revoked_already(key)
        return self.page(key, self.form_class(initial=self.initial(key)))

    def post(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key, form = self.key(key_id), self.form_class(request.POST)
        if form.is_valid():
            try:
                return self.change(key, form)
            except InvalidRequest as refusal:
                say(form, refusal, forms.FIELDS)
            except Conflict:
                return self.revoked_already(key)
        return self.page(key, form, status=400)

    def page(self, key: ApiKey, form: django_forms.Form, *, status: int = 200) -> HttpResponse:
        return self.render(self.template, {"key": key, "form": form, **self.context(key)}, status=status)

    def revoked_already(self, key: ApiKey) -> HttpResponse:
        messages.info(self.request, "This key is revoked: nothing about it changes any more.")
        return self.back(key)

    def done(self, key: ApiKey, message: str) -> HttpResponse:
        messages.success(self.request, message)
        return self.back(key)

    def back(self, key: ApiKey) -> HttpResponse:
        return redirect(self.place.reverse("key", key_id=key.pk))


class RenameKey(ChangeKey):
    template, form_class = "portal/keys/rename.html", forms.Rename

    def initial(self, key: ApiKey) -> dict[str, Any]:
        return {"name": key.name}

    def change(self, key: ApiKey, form: forms.Rename) -> HttpResponse:
        renamed = rename_key(key=key, name=form.cleaned_data["name"], actor=self.place.user)
        return self.done(renamed, f"The key is called “{renamed.name}” now.")


class ChangeAddresses(ChangeKey):
    template, form_class = "portal/keys/addresses.html", forms.ChangeAddresses

    def initial(self, key: ApiKey) -> dict[str, Any]:
        return {"allowed_ips": "\n".join(key.allowed_ips)}

    def context(self, key: ApiKey) -> dict[str, Any]:
        return {"your_address": client_address(self.request)}

    def change(self, key: ApiKey, form: forms.ChangeAddresses) -> HttpResponse:
        allowed_ips = form.cleaned_data["allowed_ips"]
        return self.done(
            change_allowed_ips(key=key, allowed_ips=allowed_ips, actor=self.place.user),
            "The addresses are in force with the next call.",
        )


class RotateKey(ChangeKey):
    template, form_class = "portal/keys/rotate.html", forms.Rotate
    asks_again = frozenset({"GET", "POST"})

    def context(self, key: ApiKey) -> dict[str, Any]:
        return {"use": use_of(key), "approved": is_approved(self.place)}

    def change(self, key: ApiKey, form: forms.Rotate) -> HttpResponse:
        secret = rotate_key(key=key, overlap=form.length(), actor=self.place.user)
        keep(self.request, key.pk, secret)
        return redirect(self.place.reverse("key_secret", key_id=key.pk))


class RevokeKey(ChangeKey):
    """The page before what cannot be taken back."""

    template, form_class = "portal/confirm.html", django_forms.Form

    def context(self, key: ApiKey) -> dict[str, Any]:
        return {
            "heading_text": f"Revoke “{key.name}”?",
            "warning": "Every call with this key is refused from the next second on, with 401 api_key_revoked.",
            "consequences": [
                "It cannot be taken back. A new key has a new secret.",
                "Bookings made with it stand; another key of the account reads and cancels them.",
                "It stays in requests, ledger lines and the audit trail.",
            ],
            "label": "Revoke the key",
            "back": self.place.reverse("key", key_id=key.pk),
        }

    def change(self, key: ApiKey, form: django_forms.Form) -> HttpResponse:
        revoke_key(key=key, actor=self.place.user)
        return self.done(key, f"“{key.name}” is revoked.")
