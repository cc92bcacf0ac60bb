"""Registering an endpoint, rotating its secret, and the one page that shows a secret."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common import clock
from apps.gateway.errors import Conflict, InvalidRequest
from apps.portal.forms.refusals import say
from apps.portal.forms.webhooks import FIELDS, EndpointForm, RotateSecret
from apps.portal.place import DEVELOPERS, PortalView
from apps.portal.shown_once import keep, take
from apps.portal.views.webhooks.one import ChangeEndpoint, EndpointView
from apps.webhooks.models import Endpoint
from apps.webhooks.services.endpoints import create_endpoint
from apps.webhooks.services.rotate_secret import rotate_secret

ASKED = frozenset({"GET", "POST"})


class NewEndpoint(PortalView):
    section = "webhooks"
    may = DEVELOPERS
    asks_again = ASKED

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(EndpointForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form, place = EndpointForm(request.POST), self.place
        if form.is_valid():
            try:
                endpoint, secret = create_endpoint(
                    account_id=place.account.pk,
                    environment=place.environment,
                    actor=self.actor,
                    **form.cleaned_data,
                )
            except InvalidRequest as refusal:
                say(form, refusal, FIELDS)
            except Conflict as refusal:
                form.add_error(None, refusal.message)
            else:
                return shown_next(self, endpoint, secret)
        return self.page(form, status=400)

    def page(self, form: EndpointForm, *, status: int = 200) -> HttpResponse:
        return self.render("portal/webhooks/new.html", {"form": form}, status=status)


class RotateEndpointSecret(ChangeEndpoint):
    template, form_class = "portal/webhooks/rotate.html", RotateSecret
    asks_again = ASKED

    def context(self, endpoint: Endpoint) -> dict[str, Any]:
        until = endpoint.previous_secret_expires_at
        return {"both_sign_until": until if until and until > clock.now() else None}

    def change(self, endpoint: Endpoint, form: RotateSecret) -> HttpResponse:
        try:
            endpoint, secret = rotate_secret(endpoint=endpoint, immediate=form.immediate, actor=self.actor)
        except InvalidRequest as refusal:
            form.add_error("when", f"{refusal.message} Until then only at once.")
            return self.page(endpoint, form, status=400)
        return shown_next(self, endpoint, secret)


class EndpointSecret(EndpointView):
    """The page after registering and rotating. A second look leads to the endpoint, where no secret is."""

    http_method_names = ["get"]  # a HEAD would use it up unseen
    may = DEVELOPERS
    asks_again = frozenset({"GET"})

    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.found(endpoint_id)
        secret = take(request, endpoint.pk)
        if secret is None:
            messages.info(request, "A secret is shown once. Who has not kept it rotates it.")
            return self.back(endpoint)
        return self.render("portal/webhooks/secret.html", {"endpoint": endpoint, "secret": secret})


def shown_next(view: PortalView, endpoint: Endpoint, secret: str) -> HttpResponse:
    keep(view.request, endpoint.pk, secret)
    return redirect(view.place.reverse("endpoint_secret", endpoint_id=endpoint.pk))
