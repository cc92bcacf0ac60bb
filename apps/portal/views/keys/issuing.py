"""Creating a key, and the one page that shows a secret."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common import clock
from apps.common.environments import Environment
from apps.gateway.client_ip import client_address
from apps.gateway.errors import InvalidRequest
from apps.keys.services.issue import issue_key
from apps.portal.first_call import snippets
from apps.portal.forms import keys as forms
from apps.portal.forms.refusals import say
from apps.portal.place import DEVELOPERS, Place, PortalView
from apps.portal.shown_once import keep, take
from apps.portal.views.keys.one import KeyView


class NewKey(PortalView):
    section = "keys"
    may = DEVELOPERS
    asks_again = frozenset({"GET", "POST"})

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(forms.NewKey())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = forms.NewKey(request.POST)
        if form.is_valid():
            try:
                key, secret = issue_key(
                    account=self.place.account,
                    environment=self.place.environment,
                    actor=self.actor,
                    **form.cleaned_data,
                )
            except InvalidRequest as refusal:
                say(form, refusal, forms.FIELDS)
            else:
                keep(request, key.pk, secret)
                return redirect(self.place.reverse("key_secret", key_id=key.pk))
        return self.page(form, status=400)

    def page(self, form: forms.NewKey, *, status: int = 200) -> HttpResponse:
        return self.render(
            "portal/keys/new.html",
            {"form": form, "approved": is_approved(self.place), "your_address": client_address(self.request)},
            status=status,
        )


class Secret(KeyView):
    """The page after creating and rotating. A second look leads to the key, where no secret is."""

    http_method_names = ["get"]  # a HEAD would use it up unseen
    may = DEVELOPERS
    asks_again = frozenset({"GET"})

    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key = self.key(key_id)
        secret = take(request, key.pk)
        if secret is None:
            messages.info(request, "A secret is shown once. Who has not kept it rotates the key.")
            return redirect(self.place.reverse("key", key_id=key.pk))
        return self.render(
            "portal/keys/secret.html",
            {"key": key, "secret": secret, "curl": snippets(settings.PUBLIC_BASE_URL, secret)[0].code},
        )


def is_approved(place: Place) -> bool:
    """Whether keys may be issued and rotated here; the services have the last word."""
    return place.environment == Environment.TEST or place.account.may_issue_live_keys(clock.now())
