"""What may be done to a key that stands: name, addresses, rotation and its early end, revocation."""

from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.gateway.client_ip import client_address
from apps.gateway.errors import Conflict, InvalidRequest
from apps.keys.models import ApiKey
from apps.keys.services.change_allowed_ips import change_allowed_ips
from apps.keys.services.end_old_secrets import end_old_secrets
from apps.keys.services.rename import rename_key
from apps.keys.services.revoke import revoke_key
from apps.keys.services.rotate import rotate_key
from apps.portal.forms import keys as forms
from apps.portal.forms.refusals import say
from apps.portal.key_use import Use, use_of
from apps.portal.place import DEVELOPERS
from apps.portal.shown_once import keep
from apps.portal.templatetags.portal import span
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
        renamed = rename_key(key=key, name=form.cleaned_data["name"], actor=self.actor)
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
            change_allowed_ips(key=key, allowed_ips=allowed_ips, actor=self.actor),
            "The addresses are in force with the next call.",
        )


class RotateKey(ChangeKey):
    template, form_class = "portal/keys/rotate.html", forms.Rotate
    asks_again = frozenset({"GET", "POST"})

    def context(self, key: ApiKey) -> dict[str, Any]:
        return {"use": use_of(key), "approved": is_approved(self.place)}

    def change(self, key: ApiKey, form: forms.Rotate) -> HttpResponse:
        secret = rotate_key(key=key, overlap=form.length(), actor=self.actor)
        keep(self.request, key.pk, secret)
        return redirect(self.place.reverse("key_secret", key_id=key.pk))


class EndOldSecrets(ChangeKey):
    """The page before the old secret ends, with what traffic says. As with a revocation no secret is made or shown, so the
    password is not asked for again.
    """

    template, form_class = "portal/confirm.html", forms.EndOld

    def page(self, key: ApiKey, form: django_forms.Form, *, status: int = 200) -> HttpResponse:
        use = use_of(key)
        if not use.is_rotating:
            return self.ended_already(key)
        for refusal in form.non_field_errors():
            messages.warning(self.request, str(refusal))
        asked = forms.EndOld(initial={"newest": use.current.secret.pk})
        context = {"key": key, "form": asked, **self.question(key, use)}
        return self.render(self.template, context, status=status)

    def question(self, key: ApiKey, use: Use) -> dict[str, Any]:
        old = ", ".join(f"{each.secret.prefix}…" for each in use.ending)
        return {
            "heading_text": f"End the old secret of “{key.name}”?",
            "warning": f"Every call with {old} is refused from the next second on, with 401 api_key_expired.",
            "consequences": [
                who_is_cut_off(use),
                f"{use.current.secret.prefix}… goes on as the only secret of the key.",
                "It cannot be taken back. Another rotation gives another secret.",
            ],
            "label": "End the old secret",
            "back": self.place.reverse("key", key_id=key.pk),
        }

    def change(self, key: ApiKey, form: forms.EndOld) -> HttpResponse:
        if not end_old_secrets(key=key, newest=form.cleaned_data["newest"], actor=self.actor):
            return self.ended_already(key)
        return self.done(key, f"The newest secret of “{key.name}” is the only one that works now.")

    def ended_already(self, key: ApiKey) -> HttpResponse:
        messages.info(self.request, "No old secret of this key works any more.")
        return self.back(key)


def who_is_cut_off(use: Use) -> str:
    if use.has_moved:
        return f"0 calls on the old one for {span(use.silent_for)}: the traffic has moved."
    if not use.current.calls:
        return "No call with the new secret yet: whoever has not deployed it is cut off."
    return f"0 calls on the old one for {span(use.silent_for)} only: whoever still uses it is cut off."


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
        revoke_key(key=key, actor=self.actor)
        return self.done(key, f"“{key.name}” is revoked.")
