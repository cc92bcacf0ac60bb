"""Changes to one endpoint: edit, enable, disable, delete, send a test."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from apps.common import zones
from apps.portal.base_view import GET_AND_POST
from apps.portal.form_views import ConfirmView, ObjectActionView, Question
from apps.portal.webhooks.endpoints.forms import EndpointForm
from apps.portal.webhooks.endpoints.state import missed_since
from apps.portal.webhooks.endpoints.views import EndpointFormView, EndpointView
from apps.portal.webhooks.recoveries.forms import WHAT
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


class EndpointEditView(EndpointFormView):
    template, form_class = "portal/webhooks/endpoints/edit.html", EndpointForm
    reauthenticated_methods = GET_AND_POST

    def initial(self, endpoint: Endpoint) -> dict[str, Any]:
        return {"url": endpoint.url, "events": endpoint.events, "description": endpoint.description}

    def change(self, endpoint: Endpoint, form: EndpointForm) -> HttpResponse:
        update_endpoint(endpoint=endpoint, actor=self.actor, **form.cleaned_data)
        return self.done(endpoint, "Saved. It applies to everything sent from now on.")


class EndpointDisableView(EndpointFormView, ConfirmView[Endpoint]):
    def question(self, endpoint: Endpoint) -> Question:
        return Question(
            heading="Disable this endpoint?",
            warning=f"Nothing is sent to {endpoint.url} until you enable it again.",
            consequences=[
                "Unfinished deliveries wait, and are sent when you enable it.",
                "New events are not delivered meanwhile. You can resend them for 30 days.",
            ],
            button="Disable the endpoint",
        )

    def change(self, endpoint: Endpoint, form: forms.Form) -> HttpResponse:
        disable_endpoint(endpoint=endpoint, actor=self.actor)
        return self.done(endpoint, "The endpoint is disabled.")


class EndpointDeleteView(EndpointFormView, ConfirmView[Endpoint]):
    def question(self, endpoint: Endpoint) -> Question:
        return Question(
            heading="Delete this endpoint?",
            warning=f"Nothing is sent to {endpoint.url} ever again.",
            consequences=[
                "You cannot undo this: its secrets are erased.",
                "Unfinished deliveries end as failed.",
                "The history of its deliveries stays readable for 30 days.",
            ],
            button="Delete the endpoint",
        )

    def change(self, endpoint: Endpoint, form: forms.Form) -> HttpResponse:
        delete_endpoint(endpoint=endpoint, actor=self.actor)
        messages.success(self.request, f"{endpoint.url} is deleted.")
        return redirect(self.portal.reverse("webhooks"))


class EndpointEnableView(EndpointView, ObjectActionView[Endpoint]):
    """Where the endpoint missed events while it was disabled, the next page offers to send them."""

    def act(self, endpoint: Endpoint) -> HttpResponse:
        since = missed_since(endpoint)
        enable_endpoint(endpoint=endpoint, actor=self.actor)
        messages.success(self.request, "The endpoint is enabled. What waited is sent now.")
        if (
            since is None
            or not preview(endpoint=endpoint, selection=Selection(since, include_missed=True)).total
        ):
            return self.back(endpoint)
        recover = self.portal.reverse("endpoint_recover", endpoint_id=endpoint.pk)
        asked = [("since", f"{zones.local(since):%Y-%m-%dT%H:%M}"), *(("what", kind) for kind in WHAT)]
        return redirect(f"{recover}?{urlencode([*asked, ('per_minute', DEFAULT_PER_MINUTE)])}")


class EndpointTestView(EndpointView, ObjectActionView[Endpoint]):
    def act(self, endpoint: Endpoint) -> HttpResponse:
        delivery = send_test(endpoint=endpoint)
        return redirect(self.portal.reverse("delivery", delivery_id=delivery.pk))
