"""The list of events, and the page of one event: its booking, its payload, all its deliveries, and where else to send it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from apps.bookings.models import Booking
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import ObjectFormView
from apps.portal.json_view import text_view
from apps.portal.list_view import ListView
from apps.portal.webhooks.events.forms import EndpointChoice, EventFilters
from apps.webhooks.catalogue import CATALOGUE, TEST
from apps.webhooks.event_pages import event_of, page_of_events, selected
from apps.webhooks.models import EndpointStatus, Event
from apps.webhooks.selectors import endpoints_of
from apps.webhooks.services.resend import replay

MEANINGS = {event.name: event.note for event in CATALOGUE} | {TEST: "A test, sent on request."}


class EventListView(ListView):
    list_name = "events"
    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.portal.account_id, self.portal.environment
        form = EventFilters(request.GET)
        if self.newest_seen is not None:
            return self.count_newer(selected(account_id, environment, form.filters()))
        page = page_of_events(account_id, environment, filters=form.filters(), cursor=self.cursor)
        return self.render_list("portal/webhooks/events/index.html", form, page)


class EventDetailView(ObjectFormView[Event]):
    """A POST sends the event to the endpoint that was chosen, also where it does not subscribe to the type."""

    section = "webhooks"
    object_name = "event"
    template = "portal/webhooks/events/detail.html"

    def get_object(self, event_id: str) -> Event:
        return event_of(self.portal.account_id, self.portal.environment, event_id)

    def address_of(self, event: Event) -> str:
        return self.portal.reverse("event", event_id=event.pk)

    def form(self, obj: Event, data: Any = None) -> EndpointChoice:
        endpoints = endpoints_of(self.portal.account_id, self.portal.environment)
        return EndpointChoice(data, endpoints=list(endpoints.filter(status=EndpointStatus.ENABLED)))

    def extra_context(self, obj: Event) -> dict[str, Any]:
        return {
            "payload": text_view(obj.payload),
            "meaning": MEANINGS.get(obj.type, ""),
            "booking": self.booking_of(obj),
            "may_change": self.portal.has_role(DEVELOPERS),
        }

    def booking_of(self, event: Event) -> Booking | None:
        if not event.booking_id:
            return None
        mine = Booking.objects.filter(account_id=event.account_id, environment=event.environment)
        return mine.filter(pk=event.booking_id).first()

    def change(self, obj: Event, form: Any) -> HttpResponse:
        replay(event=obj, endpoint=form.chosen)
        messages.success(self.request, "It is sent now.")
        return self.back(obj)
