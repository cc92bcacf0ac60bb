"""One endpoint, and the form about it that every change is."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common import clock
from apps.gateway.errors import Conflict, InvalidRequest, NotFound
from apps.portal.endpoint_state import states_of
from apps.portal.forms.refusals import say
from apps.portal.forms.webhooks import FIELDS, NOTES
from apps.portal.place import DEVELOPERS, PortalView
from apps.webhooks.delivery_pages import Filters, page_of_deliveries
from apps.webhooks.models import Endpoint
from apps.webhooks.selectors import endpoint_of, recoveries_to

FEW = 10


class EndpointView(PortalView):
    section = "webhooks"

    def found(self, endpoint_id: str) -> Endpoint:
        try:
            return endpoint_of(self.place.account.pk, self.place.environment, endpoint_id)
        except NotFound:
            raise Http404 from None

    def back(self, endpoint: Endpoint) -> HttpResponse:
        return redirect(self.place.reverse("endpoint", endpoint_id=endpoint.pk))


class EndpointPage(EndpointView):
    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint, place = self.found(endpoint_id), self.place
        account_id, environment = place.account.pk, place.environment
        [state] = states_of(account_id, environment, [endpoint], clock.now())
        filters = Filters(endpoint_id=endpoint.pk)
        recent = page_of_deliveries(account_id, environment, filters=filters, length=FEW)
        return self.render(
            "portal/webhooks/endpoint.html",
            {
                "endpoint": endpoint,
                "state": state,
                "events": [(name, NOTES.get(name, "")) for name in endpoint.events],
                "deliveries": recent.deliveries,
                "recoveries": list(recoveries_to(endpoint)[:FEW]),
                "may_change": place.is_one_of(DEVELOPERS),
            },
        )


class ChangeEndpoint(EndpointView):
    """A form about one endpoint. `change` calls the service and says where to go next."""

    may = DEVELOPERS
    template: str
    form_class: type[forms.Form] = forms.Form

    def form(self, endpoint: Endpoint, data: Any = None) -> forms.Form:
        return self.form_class(data)

    def context(self, endpoint: Endpoint) -> dict[str, Any]:
        return {}

    def change(self, endpoint: Endpoint, form: Any) -> HttpResponse:
        raise NotImplementedError

    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.found(endpoint_id)
        return self.page(endpoint, self.form(endpoint))

    def post(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.found(endpoint_id)
        form = self.form(endpoint, request.POST)
        if form.is_valid():
            try:
                return self.change(endpoint, form)
            except InvalidRequest as refusal:
                say(form, refusal, FIELDS)
            except Conflict as refusal:
                form.add_error(None, refusal.message)
            except NotFound:  # deleted meanwhile
                raise Http404 from None
        return self.page(endpoint, form, status=400)

    def page(self, endpoint: Endpoint, form: forms.Form, *, status: int = 200) -> HttpResponse:
        shown = {"endpoint": endpoint, "form": form, **self.context(endpoint)}
        return self.render(self.template, shown, status=status)

    def done(self, endpoint: Endpoint, message: str) -> HttpResponse:
        messages.success(self.request, message)
        return self.back(endpoint)
