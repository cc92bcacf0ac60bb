"""Registering an endpoint, rotating its signing secret, and the only page that shows the secret."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts import clocks
from apps.common.errors import InvalidRequest
from apps.portal.base_view import GET_AND_POST, PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import CreateView
from apps.portal.one_time_secret import SecretView, store_secret
from apps.portal.webhooks.endpoints.forms import ERROR_FIELDS, EndpointForm, RotateSecretForm
from apps.portal.webhooks.endpoints.views import EndpointFormView, EndpointView
from apps.webhooks.models import Endpoint
from apps.webhooks.services.endpoints import create_endpoint
from apps.webhooks.services.rotate_secret import rotate_secret


class EndpointCreateView(CreateView):
    section = "webhooks"
    allowed_roles = DEVELOPERS
    reauthenticated_methods = GET_AND_POST
    template, form_class = "portal/webhooks/endpoints/new.html", EndpointForm
    error_fields = ERROR_FIELDS

    def create(self, form: EndpointForm) -> HttpResponse:
        portal = self.portal
        endpoint, secret = create_endpoint(
            account_id=portal.account_id,
            environment=portal.environment,
            actor=self.actor,
            **form.cleaned_data,
        )
        return show_secret(self, endpoint, secret)


class EndpointRotateView(EndpointFormView):
    template, form_class = "portal/webhooks/endpoints/rotate.html", RotateSecretForm
    reauthenticated_methods = GET_AND_POST

    def extra_context(self, endpoint: Endpoint) -> dict[str, Any]:
        until = endpoint.previous_secret_expires_at
        return {"both_sign_until": until if until and until > clocks.now_here() else None}

    def change(self, endpoint: Endpoint, form: RotateSecretForm) -> HttpResponse:
        try:
            endpoint, secret = rotate_secret(endpoint=endpoint, immediate=form.immediate, actor=self.actor)
        except InvalidRequest as refusal:
            form.add_error("when", f"{refusal.message} Until then only at once.")
            return self.page(endpoint, form, status=400)
        return show_secret(self, endpoint, secret)


class EndpointSecretView(EndpointView, SecretView):
    """The page after registering or rotating. A second visit redirects to the endpoint's page, which shows no secret."""

    already_shown = "A secret is shown once. If you did not save it, rotate it."

    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.object_or_404(endpoint_id=endpoint_id)
        secret = self.take_secret(endpoint.pk)
        if secret is None:
            return self.back(endpoint)
        return self.render("portal/webhooks/endpoints/secret.html", {"endpoint": endpoint, "secret": secret})


def show_secret(view: PortalView, endpoint: Endpoint, secret: str) -> HttpResponse:
    """Redirect to the page that shows the new `secret`."""
    store_secret(view.request, endpoint.pk, secret)
    return redirect(view.portal.reverse("endpoint_secret", endpoint_id=endpoint.pk))
