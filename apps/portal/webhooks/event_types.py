"""The catalogue of events, and the sample of one."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString

from apps.common import clock
from apps.common.errors import NotFound
from apps.portal.base import PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.forms import ObjectFormView
from apps.portal.json_html import json_view
from apps.portal.webhooks.endpoints import EndpointState
from apps.portal.webhooks.events import EndpointChoice
from apps.webhooks.endpoint_health import endpoints_with_health
from apps.webhooks.events import CATALOGUE, TEST, EventType
from apps.webhooks.models import EndpointStatus
from apps.webhooks.selectors import endpoints_of
from apps.webhooks.services.send_test import samples, send_sample

OF_TEST = EventType(
    TEST, "You requested a test delivery; no subscription is needed.", emitted=True, subscribable=False
)
TYPES = {event.name: event for event in (*CATALOGUE, OF_TEST)}


class EventTypesView(PortalView):
    section = "event_types"

    def get(self, request: HttpRequest) -> HttpResponse:
        endpoints = endpoints_of(*self.portal.stored)
        subscribed = Counter(
            name for names in endpoints.values_list("events", flat=True) for name in set(names)
        )
        sent = [(event, subscribed[event.name]) for event in TYPES.values() if event.emitted]
        silent = [event for event in CATALOGUE if not event.emitted]
        return self.render("portal/webhooks/event_types/index.html", {"sent": sent, "silent": silent})


class SampleForm(EndpointChoice):
    sample = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


@dataclass(frozen=True, slots=True)
class ShownSample:
    name: str
    summary: str
    json: SafeString


class EventTypeView(ObjectFormView[EventType]):
    """A POST sends a sample to the endpoint that was chosen, in the test environment."""

    section = "event_types"
    name = "type"
    template = "portal/webhooks/event_types/detail.html"

    def get_object(self, event_type: str) -> EventType:
        """Raises NotFound for a type that is never sent."""
        event = TYPES.get(event_type)
        if event is None or not event.emitted:
            raise NotFound
        return event

    def form(self, data: Any = None) -> SampleForm:
        enabled = endpoints_of(*self.portal.stored).filter(status=EndpointStatus.ENABLED)
        return SampleForm(data, endpoints=list(enabled))

    def extra_context(self) -> dict[str, Any]:
        name = self.object.name
        shown = [ShownSample(each.name, each.summary, json_view(each.payload)) for each in samples()[name]]
        now = clock.now_here()
        found = endpoints_with_health(endpoints_of(*self.portal.stored), now)
        return {
            "samples": shown,
            "subscribed": [
                EndpointState(endpoint, health, now, ())
                for endpoint, health in found
                if name in endpoint.events
            ],
            "may_send": self.portal.has_role(DEVELOPERS) and not self.portal.is_live,
        }

    def save(self, form: Any) -> HttpResponse:
        named = form.cleaned_data["sample"]
        delivery = send_sample(endpoint=form.chosen, type=self.object.name, name=named, actor=self.actor)
        messages.success(self.request, "The sample is being sent as a test. The response appears below.")
        return redirect(self.portal.reverse("delivery", delivery_id=delivery.pk))
