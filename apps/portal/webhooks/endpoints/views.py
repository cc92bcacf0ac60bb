"""The page of one webhook endpoint."""

from django.http import Http404, HttpRequest, HttpResponse

from apps.accounts import clocks
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import ObjectFormView, ObjectView
from apps.portal.webhooks.endpoints.forms import ERROR_FIELDS, NOTES
from apps.portal.webhooks.endpoints.state import endpoint_states
from apps.webhooks.delivery_pages import Filters, page_of_deliveries
from apps.webhooks.models import Endpoint
from apps.webhooks.selection import awaiting_next_attempt
from apps.webhooks.selectors import endpoint_of, endpoints_of, recoveries_to

RECENT = 10
"""Deliveries and recoveries shown on the page."""


class EndpointView(ObjectView[Endpoint]):
    """A page about one endpoint."""

    section = "webhooks"

    def get_object(self, endpoint_id: str) -> Endpoint:
        return endpoint_of(self.portal.account_id, self.portal.environment, endpoint_id)

    def address_of(self, endpoint: Endpoint) -> str:
        return self.portal.reverse("endpoint", endpoint_id=endpoint.pk)


class EndpointDetailView(EndpointView):
    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint, portal = self.object_or_404(endpoint_id=endpoint_id), self.portal
        account_id, environment = portal.account_id, portal.environment
        alone = endpoints_of(account_id, environment).filter(pk=endpoint.pk)
        states = endpoint_states(account_id, environment, alone, clocks.now_here())
        if not states:  # it was deleted meanwhile
            raise Http404
        filters = Filters(endpoint_id=endpoint.pk)
        recent = page_of_deliveries(account_id, environment, filters=filters, length=RECENT)
        return self.render(
            "portal/webhooks/endpoints/detail.html",
            {
                "endpoint": endpoint,
                "state": states[0],
                "events": [(name, NOTES.get(name, "")) for name in endpoint.events],
                "deliveries": recent.rows,
                "waiting": awaiting_next_attempt(endpoint).count(),
                "recoveries": list(recoveries_to(endpoint)[:RECENT]),
                "may_change": portal.has_role(DEVELOPERS),
            },
        )


class EndpointFormView(EndpointView, ObjectFormView[Endpoint]):
    """A form about one endpoint."""

    allowed_roles = DEVELOPERS
    object_name = "endpoint"
    error_fields = ERROR_FIELDS
