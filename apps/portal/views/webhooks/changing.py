"""What may be done to an endpoint that stands: edit, enable, disable, delete, send a test."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.gateway.errors import Conflict, NotFound
from apps.portal.endpoint_state import missed_since
from apps.portal.forms.webhooks import WHAT, EndpointForm
from apps.portal.views.webhooks.one import ChangeEndpoint, EndpointView
from apps.webhooks.models import Endpoint
from apps.webhooks.selection import Selection, preview
from apps.webhooks.services.endpoints import (
    delete_endpoint,
    disable_endpoint,
    enable_endpoint,
    update_endpoint,
)
from apps.webhooks.services.recover import DEFAULT_PER_MINUTE
from apps.webhooks.services.send_test import send_test


class EditEndpoint(ChangeEndpoint):
    template = "portal/webhooks/edit.html"

    def form(self, endpoint: Endpoint, data: Any = None) -> EndpointForm:
        stands = {"url": endpoint.url, "events": endpoint.events, "description": endpoint.description}
        return EndpointForm(data, initial=stands)

    def change(self, endpoint: Endpoint, form: EndpointForm) -> HttpResponse:
        update_endpoint(endpoint=endpoint, actor=self.actor, **form.cleaned_data)
        return self.done(endpoint, "Saved. What is sent from now on goes by it, unfinished deliveries too.")


class DisableEndpoint(ChangeEndpoint):
    template = "portal/confirm.html"

    def context(self, endpoint: Endpoint) -> dict[str, Any]:
        return {
            "heading_text": "Disable this endpoint?",
            "warning": f"Nothing is sent to {endpoint.url} until you enable it again.",
            "consequences": [
                "What is unfinished waits, and is sent at once when it is enabled.",
                "New events make no deliveries meanwhile. You can send them afterwards, for 30 days.",
            ],
            "label": "Disable the endpoint",
            "back": self.place.reverse("endpoint", endpoint_id=endpoint.pk),
        }

    def change(self, endpoint: Endpoint, form: Any) -> HttpResponse:
        disable_endpoint(endpoint=endpoint, actor=self.actor)
        return self.done(endpoint, "The endpoint is disabled.")


class DeleteEndpoint(ChangeEndpoint):
    template = "portal/confirm.html"

    def context(self, endpoint: Endpoint) -> dict[str, Any]:
        return {
            "heading_text": "Delete this endpoint?",
            "warning": f"Nothing is sent to {endpoint.url} ever again.",
            "consequences": [
                "It cannot be taken back: its secrets are erased.",
                "Unfinished deliveries end as failed.",
                "The history of its deliveries stays readable for 30 days.",
            ],
            "label": "Delete the endpoint",
            "back": self.place.reverse("endpoint", endpoint_id=endpoint.pk),
        }

    def change(self, endpoint: Endpoint, form: Any) -> HttpResponse:
        delete_endpoint(endpoint=endpoint, actor=self.actor)
        messages.success(self.request, f"{endpoint.url} is deleted.")
        return redirect(self.place.reverse("webhooks"))


class Act(EndpointView):
    """A button of the endpoint's page. Who comes by its address, as after signing in anew, is led to that page."""

    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        return self.back(self.found(endpoint_id))

    def post(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.found(endpoint_id)
        try:
            return self.act(endpoint)
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return self.back(endpoint)
        except NotFound:  # deleted meanwhile
            raise Http404 from None

    def act(self, endpoint: Endpoint) -> HttpResponse:
        raise NotImplementedError


class EnableEndpoint(Act):
    """Enabled, it is asked whether to send what was missed."""

    def act(self, endpoint: Endpoint) -> HttpResponse:
        since = missed_since(endpoint)
        enable_endpoint(endpoint=endpoint, actor=self.actor)
        messages.success(self.request, "The endpoint is enabled. What waited is sent now.")
        if (
            since is None
            or not preview(endpoint=endpoint, selection=Selection(since, include_missed=True)).total
        ):
            return self.back(endpoint)
        recover = self.place.reverse("endpoint_recover", endpoint_id=endpoint.pk)
        asked = [("since", f"{since:%Y-%m-%dT%H:%M}"), *(("what", kind) for kind in WHAT)]
        return redirect(f"{recover}?{urlencode([*asked, ('per_minute', DEFAULT_PER_MINUTE)])}")


class TestEndpoint(Act):
    __test__ = False  # no test of pytest's

    def act(self, endpoint: Endpoint) -> HttpResponse:
        delivery = send_test(endpoint=endpoint)
        return redirect(self.place.reverse("delivery", delivery_id=delivery.pk))
