"""Creating a key, and the only page that shows a secret."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.gateway.client_ip import client_address
from apps.keys.services.issue import issue_key
from apps.portal.base_view import GET_AND_POST, PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import CreateView
from apps.portal.keys.forms import ERROR_FIELDS, NewKeyForm
from apps.portal.keys.views import KeyView, is_approved
from apps.portal.one_time_secret import SecretView, store_secret
from apps.portal.quick_start.snippets import snippets


class KeyCreateView(CreateView):
    section = "keys"
    allowed_roles = DEVELOPERS
    reauthenticated_methods = GET_AND_POST
    template, form_class, error_fields = "portal/keys/new.html", NewKeyForm, ERROR_FIELDS

    def extra_context(self) -> dict[str, Any]:
        return {"approved": is_approved(self.portal), "your_address": client_address(self.request)}

    def create(self, form: NewKeyForm) -> HttpResponse:
        portal = self.portal
        key, secret = issue_key(
            account=portal.stored_account,
            environment=portal.environment,
            actor=self.actor,
            **form.cleaned_data,
        )
        return show_secret(self, key.pk, secret)


class KeySecretView(KeyView, SecretView):
    """The page after a key was created or rotated. A second visit redirects to the key's page, which shows no secret."""

    already_shown = "A secret is shown once. If you did not save it, rotate the key."

    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key = self.object_or_404(key_id=key_id)
        secret = self.take_secret(key.pk)
        if secret is None:
            return self.back(key)
        return self.render(
            "portal/keys/secret.html",
            {"key": key, "secret": secret, "curl": snippets(settings.PUBLIC_BASE_URL, secret)[0].code},
        )


def show_secret(view: PortalView, key_id: str, secret: str) -> HttpResponse:
    """Redirect to the page that shows the new `secret` of the key."""
    store_secret(view.request, key_id, secret)
    return redirect(view.portal.reverse("key_secret", key_id=key_id))
