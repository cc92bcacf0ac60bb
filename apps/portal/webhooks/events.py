"""Events: what happened, also what no endpoint asked for."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from apps.bookings.models import Booking
from apps.portal.bookings.facts import lines_of
from apps.portal.forms import ObjectFormView
from apps.portal.json_html import text_view
from apps.portal.lists import CodeField, ListFilters, ListView, any_or
from apps.portal.templatetags.portal import endpoint_name
from apps.portal.webhooks.deliveries import shortened
from apps.webhooks.events import CATALOGUE, EMITTED, TEST
from apps.webhooks.lists import EventQuery, event_of, page_of_events, selected_events
from apps.webhooks.models import Endpoint, EndpointStatus, Event
from apps.webhooks.selectors import endpoints_of
from apps.webhooks.services.resend import replay


class EventFilters(ListFilters):
    field_order = ["text", "type"]

    text = CodeField("Event id or booking")
    type = forms.ChoiceField(
        choices=any_or((name, name) for name in (*sorted(EMITTED), TEST)), required=False
    )

    def filters(self) -> EventQuery:
        return EventQuery(
            type=self.value("type"), called=self.value("text"), since=self.begins, until=self.ends
        )


class EndpointChoice(forms.Form):
    endpoint = forms.ChoiceField(
        error_messages={"invalid_choice": "There is no such endpoint.", "required": "Choose an endpoint."}
    )

    def __init__(self, *args: Any, endpoints: Sequence[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by_id = {endpoint.pk: endpoint for endpoint in endpoints}
        self.fields["endpoint"].choices = [  # type: ignore[attr-defined]
            (endpoint.pk, shortened(endpoint_name(endpoint))) for endpoint in endpoints
        ]

    @property
    def chosen(self) -> Endpoint:
        return self.by_id[self.cleaned_data["endpoint"]]


MEANINGS = {event.name: event.note for event in CATALOGUE} | {TEST: "A test, sent on request."}


class EventListView(ListView):
    form_class = EventFilters
    list_name = "events"
    section = "events"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.portal.stored
        form = EventFilters(request.GET)
        if self.newest_seen is not None:
            return self.count_newer(selected_events(account_id, environment, form.filters()))
        page = page_of_events(account_id, environment, filters=form.filters(), cursor=self.cursor)
        named = [event.booking_reference for event in page.rows]
        lines = lines_of(account_id, environment, named)
        return self.render_list("portal/webhooks/events/index.html", form, page, lines=lines)


class EventDetailView(ObjectFormView[Event]):
    """A POST sends the event to the endpoint that was chosen, also where it does not subscribe to the type."""

    section = "events"
    template = "portal/webhooks/events/detail.html"

    name, find = "event", staticmethod(event_of)

    def form(self, data: Any = None) -> EndpointChoice:
        endpoints = endpoints_of(*self.portal.stored)
        return EndpointChoice(data, endpoints=list(endpoints.filter(status=EndpointStatus.ENABLED)))

    def extra_context(self) -> dict[str, Any]:
        event = self.object
        place = (event.account_id, event.environment)
        mine = Booking.objects.filter(account_id=event.account_id, environment=event.environment)
        return {
            "lines": lines_of(*place, [event.booking_reference]),
            "payload": text_view(event.payload),
            "meaning": MEANINGS.get(event.type, ""),
            "booking": mine.filter(pk=event.booking_id).first() if event.booking_id else None,
        }

    def save(self, form: Any) -> HttpResponse:
        replay(event=self.object, endpoint=form.chosen)
        return self.done("It is sent now.")
